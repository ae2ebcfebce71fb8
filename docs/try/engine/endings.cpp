#include "endings.h"
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <unordered_map>

namespace endings {
namespace {
constexpr double INFINITE = std::numeric_limits<double>::infinity();
constexpr double PIPS_A_ROLL = 49.0 / 6;

double chosen(int n, int k) {
    double found = 1;
    for (int i = 0; i < k; ++i) found = found * (n - i) / (i + 1);
    return k < 0 || n < k ? 0 : std::round(found);
}
const int SIZE = 54264;

int pips_of(const Counts& c) { int sum = 0; for (int p = 1; p < POINTS; ++p) sum += p * c[p]; return sum; }

// numpy.interp: a straight line between two places, and the ends beyond them.
template<class X, class Y> double between(double at, const X& x, const Y& y, int count) {
    if (at >= x[count - 1]) return y[count - 1];
    if (at < x[0]) return y[0];
    int low = 0, high = count - 1;
    while (high - low > 1) { const int middle = (low + high) / 2; (x[middle] <= at ? low : high) = middle; }
    return (y[low + 1] - y[low]) / (x[low + 1] - x[low]) * (at - x[low]) + y[low];
}
Spread or_more(const Spread& chances) {
    Spread found{};
    double sum = 0;
    for (int n = MOST_ROLLS - 1; n >= 0; --n) found[n] = sum += chances[n];
    return found;
}
double dot(const Spread& a, const Spread& b) { double sum = 0; for (int n = 0; n < MOST_ROLLS; ++n) sum += a[n] * b[n]; return sum; }
}

const std::array<Roll, ROLLS>& rolls() {
    static const auto all = [] {
        std::array<Roll, ROLLS> found{};
        int at = 0;
        for (int high = 1; high <= 6; ++high)
            for (int low = 1; low <= high; ++low) found[at++] = {high, low, (high == low ? 1 : 2) / 36.0};
        return found;
    }();
    return all;
}

// --- one side at home -------------------------------------------------------------------------

int number_of(const Counts& counts) {
    static const auto table = [] {
        std::array<std::array<int, CHECKERS + 1>, HOME + 1> found{};
        for (int i = 1; i <= HOME; ++i)
            for (int left = 0; left <= CHECKERS; ++left) found[i][left] = int(chosen(left + HOME - i, HOME + 1 - i));
        return found;
    }();
    int left = CHECKERS, after = 0;
    for (int i = 1; i <= HOME; ++i) after += table[i][left -= counts[i]];
    return SIZE - 1 - after;
}
bool is_home(const Counts& counts) { return std::all_of(counts.begin() + HOME + 1, counts.end(), [](int n) { return !n; }); }

namespace {
// Where one die leads from a home board, the checker on the die's own point first; nobody where it cannot be played.
void home_hops(const Counts& board, int die, std::vector<int>& found) {
    found.clear();
    int highest = 0;
    for (int p = 1; p <= HOME; ++p) if (board[p]) highest = p;
    Counts after = board;
    if (!highest) { found.push_back(0); return; }
    const int off = board[die] ? die : highest < die ? highest : 0;
    if (off) { --after[off]; found.push_back(number_of(after)); ++after[off]; }
    for (int p = die + 1; p <= HOME; ++p) if (board[p]) {
        --after[p]; ++after[p - die]; found.push_back(number_of(after)); ++after[p]; --after[p - die];
    }
}

Course found_course() {
    std::vector<Counts> boards(SIZE);
    std::vector<int> order(SIZE);
    Counts board{};
    std::function<void(int, int)> fill = [&](int point, int left) {
        if (point > HOME) { boards[number_of(board)] = board; return; }
        for (int n = 0; n <= left; ++n) { board[point] = n; fill(point + 1, left - n); }
        board[point] = 0;
    };
    fill(1, CHECKERS);
    std::iota(order.begin(), order.end(), 0);
    std::vector<int> pips(SIZE);
    for (int i = 0; i < SIZE; ++i) pips[i] = pips_of(boards[i]);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return pips[a] < pips[b]; });
    std::vector<std::array<std::array<int, HOME + 1>, HOME>> hops(SIZE);  // the last of each: how many
    std::vector<int> some;
    for (int i = 0; i < SIZE; ++i) for (int die = 1; die <= HOME; ++die) {
        home_hops(boards[i], die, some);
        auto& to = hops[i][die - 1];
        std::copy(some.begin(), some.end(), to.begin());
        to[HOME] = int(some.size());
    }
    // The least mean after one hop of each die, after two and after three of the same.
    std::vector<double> means(SIZE);
    std::vector<std::array<double, HOME>> once(SIZE), twice(SIZE), thrice(SIZE);
    for (int i : order) {
        if (!pips[i]) { means[i] = 0; once[i] = twice[i] = thrice[i] = {}; continue; }
        double total = 0, pairs[HOME][HOME];
        for (int die = 0; die < HOME; ++die) {
            const auto& to = hops[i][die];
            double one = INFINITE, three = INFINITE, last = INFINITE;
            for (int o = 0; o < HOME; ++o) pairs[die][o] = INFINITE;
            for (int k = 0; k < to[HOME]; ++k) {
                one = std::min(one, means[to[k]]);
                for (int o = 0; o < HOME; ++o) pairs[die][o] = std::min(pairs[die][o], once[to[k]][o]);
                three = std::min(three, twice[to[k]][die]);
                last = std::min(last, thrice[to[k]][die]);
            }
            once[i][die] = one; twice[i][die] = pairs[die][die]; thrice[i][die] = three;
            total += last;
            for (int o = 0; o < die; ++o) total += 2 * std::min(pairs[die][o], pairs[o][die]);
        }
        means[i] = 1 + total / 36;
    }
    const auto best = [&](int i, int die, int depth, const auto& self) -> int {  // after so many hops of a die
        int found = -1;
        for (int k = 0; k < hops[i][die][HOME]; ++k) {
            const int end = depth > 1 ? self(hops[i][die][k], die, depth - 1, self) : hops[i][die][k];
            if (found < 0 || means[end] < means[found]) found = end;
        }
        return found;
    };
    // After one, two and three hops of the same die, so that none is looked for twice.
    std::vector<std::array<int, HOME>> after[4];
    for (auto& each : after) each.resize(SIZE);
    for (int depth = 0; depth < 4; ++depth) for (int i = 0; i < SIZE; ++i) for (int die = 0; die < HOME; ++die) {
        if (!depth) { after[0][i][die] = best(i, die, 1, best); continue; }
        int found = -1;
        for (int k = 0; k < hops[i][die][HOME]; ++k) {
            const int end = after[depth - 1][hops[i][die][k]][die];
            if (found < 0 || means[end] < means[found]) found = end;
        }
        after[depth][i][die] = found;
    }
    Course found;
    found.plays.resize(SIZE);
    found.chances.assign(SIZE, {});
    for (int i = 0; i < SIZE; ++i) for (int r = 0; r < ROLLS; ++r) {
        const int high = rolls()[r].high - 1, low = rolls()[r].low - 1;
        int end = -1;
        if (high == low) end = after[3][i][high];
        else for (const auto& [one, two] : {std::pair{high, low}, std::pair{low, high}})
            for (int k = 0; k < hops[i][one][HOME]; ++k) {
                const int reached = after[0][hops[i][one][k]][two];
                if (end < 0 || means[reached] < means[end]) end = reached;
            }
        found.plays[i][r] = uint16_t(end);
    }
    found.chances[order[0]][0] = 1;
    for (int i : order) if (pips[i]) for (int r = 0; r < ROLLS; ++r)
        for (int n = 1; n < MOST_ROLLS; ++n) found.chances[i][n] += float(rolls()[r].chance) * found.chances[found.plays[i][r]][n - 1];
    found.means = std::move(means);
    return found;
}
}

const Course& course() { static const Course found = found_course(); return found; }

Spread spread_at_home(int number) {
    Spread found;
    std::copy(course().chances[number].begin(), course().chances[number].end(), found.begin());
    return found;
}

// --- sides that still come home ---------------------------------------------------------------

namespace {
constexpr int INPUTS = 62, HIDDEN = 96, FIGURES = 4, FURTHEST = 18, MOST_PIPS = 160;
const double VARIANCE_A_PIP = 665.0 / 36 / std::pow(PIPS_A_ROLL, 3);
struct Network { std::vector<double> hidden, offsets, weights, lines, constant; } network;

std::array<double, FIGURES> figures(const Counts& c) {
    float seen[INPUTS];
    float* to = seen;
    float outside[FURTHEST - HOME];
    for (int p = HOME + 1; p <= FURTHEST; ++p) outside[p - HOME - 1] = float(c[p]);
    for (int p = FURTHEST + 1; p < POINTS; ++p) outside[FURTHEST - HOME - 1] += float(c[p]);
    float many = 0, pips = 0;
    int all = 0;
    for (int k = 0; k < FURTHEST - HOME; ++k) { many += outside[k]; pips += outside[k] * float(k + 1); }
    for (int p = 1; p < POINTS; ++p) all += c[p];
    for (int p = 1; p <= HOME; ++p) *to++ = float(c[p] / 3.0);
    for (int p = 1; p <= HOME; ++p) *to++ = c[p] == 0;
    for (int p = 1; p <= HOME; ++p) *to++ = c[p] == 1;
    for (int p = 1; p <= HOME; ++p) *to++ = c[p] == 2;
    for (int p = 1; p <= HOME; ++p) *to++ = c[p] > 3;
    for (float each : outside) *to++ = each / 2;
    for (int p = HOME + 1; p <= 2 * HOME; ++p) *to++ = c[p] == 1;
    for (int p = HOME + 1; p <= 2 * HOME; ++p) *to++ = c[p] > 1;
    for (int k = 1; k <= 5; ++k) *to++ = many == float(k);
    *to++ = many / 5; *to++ = pips / 25; *to++ = float(all % 2);
    std::array<double, FIGURES> found{};
    for (int f = 0; f < FIGURES; ++f) found[f] = network.constant[f];
    for (int h = 0; h < HIDDEN; ++h) {
        double sum = network.offsets[h];
        for (int i = 0; i < INPUTS; ++i) if (seen[i] != 0) sum += seen[i] * network.hidden[i * HIDDEN + h];
        const double unit = std::tanh(sum);
        for (int f = 0; f < FIGURES; ++f) found[f] += unit * network.weights[h * FIGURES + f];
    }
    for (int i = 0; i < INPUTS; ++i) if (seen[i] != 0) for (int f = 0; f < FIGURES; ++f) found[f] += seen[i] * network.lines[i * FIGURES + f];
    for (double& each : found) each = std::nearbyint(each * 1e9) / 1e9;
    return found;
}

// Effective pips, at home by the table.
double effective(const Counts& c) {
    if (!is_home(c)) return pips_of(c) + figures(c)[0];
    float sum = 0;
    const auto& chances = course().chances[number_of(c)];
    for (int n = 0; n < MOST_ROLLS; ++n) sum += chances[n] * float(n);
    return sum * float(PIPS_A_ROLL);
}

// The hop of one checker that leaves the fewest effective pips.
Counts hopped(const Counts& c, int die) {
    int highest = 0;
    for (int p = 1; p < POINTS; ++p) if (c[p]) highest = p;
    Counts best = c;
    double least = INFINITE;
    for (int p = 1; p < POINTS; ++p) {
        if (!c[p] || !(p > die || (highest <= HOME && (p == die || p == highest)))) continue;
        Counts after = c;
        --after[p];
        if (p > die) ++after[p - die];
        const double left = effective(after);
        if (left < least) { least = left; best = after; }
    }
    return best;
}
Counts played(const Counts& c, const Roll& roll) {
    Counts one = hopped(hopped(c, roll.high), roll.low);
    if (roll.high == roll.low) return hopped(hopped(one, roll.high), roll.high);
    const Counts other = hopped(hopped(c, roll.low), roll.high);
    return effective(one) <= effective(other) ? one : other;
}

// The chances of every number of rolls by four cumulants: Edgeworth's series.
Spread spread(double mean, double variance, double third, double fourth) {
    constexpr int STEPS = 6001;
    static const auto normal = [] {
        std::array<std::vector<double>, 4> t;
        for (auto& each : t) each.resize(STEPS);
        for (int i = 0; i < STEPS; ++i) {
            const double at = i == STEPS - 1 ? 6 : -6 + i * (12.0 / (STEPS - 1)), density = std::exp(-(at * at) / 2) / std::sqrt(2 * M_PI);
            t[0][i] = at;
            t[1][i] = (1 + std::erf(at / std::sqrt(2.0))) / 2;
            t[2][i] = (at * at - 1) / 6 * density;
            t[3][i] = (at * at * at - 3 * at) / 24 * density;
        }
        return t;
    }();
    const double wide = std::sqrt(std::max(variance - 1.0 / 12, 0.1));
    const double skewness = std::clamp(third / (wide * wide * wide), -1.0, 1.0);
    const double kurtosis = std::clamp((fourth + 1.0 / 120) / std::pow(wide, 4), -1.0, 1.0);
    Spread found;
    double before = 0, most = 0;
    for (int n = 0; n < MOST_ROLLS; ++n) {
        const double end = (n + 0.5 - mean) / wide;
        const double below = between(end, normal[0], normal[1], STEPS) - skewness * between(end, normal[0], normal[2], STEPS)
                             - kurtosis * between(end, normal[0], normal[3], STEPS);
        most = std::max(most, std::clamp(below, 0.0, 1.0));
        found[n] = most - before;
        before = most;
    }
    return found;
}

std::string key_of(const Counts& c) { return std::string(c.begin(), c.end()); }
constexpr size_t MOST_KNOWN = 20000, MOST_FOLLOWED = 2000;
}

void set_network(const float* v, int count) {
    const int sizes[] = {INPUTS * HIDDEN, HIDDEN, HIDDEN * FIGURES, INPUTS * FIGURES, FIGURES};
    if (count != std::accumulate(std::begin(sizes), std::end(sizes), 0)) throw std::runtime_error("the network of races has another size");
    std::vector<double>* parts[] = {&network.hidden, &network.offsets, &network.weights, &network.lines, &network.constant};
    for (int i = 0; i < 5; ++i) { parts[i]->assign(v, v + sizes[i]); v += sizes[i]; }
}

bool at_sight(const Counts& c, Spread& found) {
    static std::unordered_map<std::string, Spread> known;
    if (is_home(c)) { found = spread_at_home(number_of(c)); return true; }
    const auto key = key_of(c);
    if (const auto old = known.find(key); old != known.end()) { found = old->second; return true; }
    const auto figure = figures(c);
    const double pips = pips_of(c), all = pips + figure[0];
    if (all > MOST_PIPS) return false;
    found = spread(all / PIPS_A_ROLL, VARIANCE_A_PIP * pips + figure[1], figure[2], figure[3]);
    if (known.size() > MOST_KNOWN) known.clear();
    known[key] = found;
    return true;
}

bool after_rolls(const Counts& c, std::array<Spread, ROLLS>& found) {
    static std::unordered_map<std::string, std::array<Spread, ROLLS>> known;
    if (is_home(c)) {
        const auto& plays = course().plays[number_of(c)];
        for (int r = 0; r < ROLLS; ++r) found[r] = spread_at_home(plays[r]);
        return true;
    }
    const auto key = key_of(c);
    if (const auto old = known.find(key); old != known.end()) { found = old->second; return true; }
    for (int r = 0; r < ROLLS; ++r) if (!at_sight(played(c, rolls()[r]), found[r])) return false;
    if (known.size() > MOST_FOLLOWED) known.clear();
    known[key] = found;
    return true;
}

namespace {
bool followed(const Counts& c, Spread& found) {
    std::array<Spread, ROLLS> after;
    if (!after_rolls(c, after)) return false;
    found.fill(0);
    for (int r = 0; r < ROLLS; ++r) for (int n = 1; n < MOST_ROLLS; ++n) found[n] += rolls()[r].chance * after[r][n - 1];
    return true;
}
}

double first_off(const Counts& own, const Counts& other) {
    Spread one, two;
    return at_sight(own, one) && at_sight(other, two) ? dot(one, or_more(two)) : -1;
}

// --- what a side can come to ------------------------------------------------------------------

SidePointer rolling(const std::vector<std::array<std::vector<int>, HOME>>& hops) {
    auto side = std::make_shared<Side>();
    const int size = int(hops.size());
    side->ways.resize(size);
    const auto tidy = [](std::vector<int>& v) { std::sort(v.begin(), v.end()); v.erase(std::unique(v.begin(), v.end()), v.end()); };
    std::vector<std::array<std::vector<int>, HOME>> twice(size);
    for (int i = 0; i < size; ++i) for (int die = 0; die < HOME; ++die) {
        auto& to = twice[i][die];
        for (int end : hops[i][die]) to.insert(to.end(), hops[end][die].begin(), hops[end][die].end());
        tidy(to);
    }
    for (int i = 0; i < size; ++i) for (int r = 0; r < ROLLS; ++r) {
        const int high = rolls()[r].high - 1, low = rolls()[r].low - 1;
        auto& to = side->ways[i][r];
        if (high == low) for (int end : twice[i][high]) to.insert(to.end(), twice[end][high].begin(), twice[end][high].end());
        else {
            for (int end : hops[i][high]) to.insert(to.end(), hops[end][low].begin(), hops[end][low].end());
            for (int end : hops[i][low]) to.insert(to.end(), hops[end][high].begin(), hops[end][high].end());
        }
        tidy(to);
    }
    return side;
}

SidePointer reachable(const Counts& start) {
    constexpr size_t MOST_POSITIONS = 3003;
    std::vector<int> places;
    for (int p = 1; p < POINTS; ++p) places.insert(places.end(), start[p], p);
    std::vector<std::vector<uint8_t>> boards;
    std::vector<uint8_t> board(POINTS, 0);
    // Checkers in the order of their points, each no lower than the one before.
    const std::function<bool(size_t, int)> place = [&](size_t which, int lowest) {
        if (which == places.size()) { boards.push_back(board); return boards.size() <= MOST_POSITIONS; }
        for (int p = lowest; p <= places[which]; ++p) {
            ++board[p];
            const bool fits = place(which + 1, p);
            --board[p];
            if (!fits) return false;
        }
        return true;
    };
    if (!place(0, 0)) return nullptr;
    const auto pips = [](const std::vector<uint8_t>& b) { int sum = 0; for (int p = 1; p < POINTS; ++p) sum += p * b[p]; return sum; };
    std::stable_sort(boards.begin(), boards.end(), [&](const auto& a, const auto& b) { return pips(a) < pips(b); });
    std::map<std::vector<uint8_t>, int> numbers;
    for (size_t i = 0; i < boards.size(); ++i) { boards[i][0] = 0; numbers[boards[i]] = int(i); }
    std::vector<std::array<std::vector<int>, HOME>> hops(boards.size());
    for (size_t i = 0; i < boards.size(); ++i) {
        auto b = boards[i];
        int highest = 0;
        for (int p = 1; p < POINTS; ++p) if (b[p]) highest = p;
        for (int die = 1; die <= HOME; ++die) {
            auto& to = hops[i][die - 1];
            if (!highest) { to.push_back(0); continue; }
            for (int p = 1; p < POINTS; ++p) {
                if (!b[p] || !(p > die || (highest <= HOME && (p == die || p == highest)))) continue;
                --b[p]; if (p > die) ++b[p - die];
                to.push_back(numbers.at(b));
                ++b[p]; if (p > die) --b[p - die];
            }
        }
    }
    auto side = std::const_pointer_cast<Side>(rolling(hops));
    side->numbers = std::move(numbers);
    return side;
}

// --- tables of two sides ----------------------------------------------------------------------

int Cubes::at(int owner) const {
    if (owners_count > 1) for (int k = 0; k < owners_count; ++k) if (owners[k] == owner) return k;
    return 0;
}
bool Cubes::alive(int owner) const {
    return (gaining[FIRST] && (owner == FIRST || owner == CENTRE)) || (gaining[SECOND] && (owner == SECOND || owner == CENTRE));
}

namespace {
// The best cube action of a side, in place. values[owner][j]; above: the same with the cube twice as high, or none.
void act(const Cubes& cubes, int side, double* values, int columns, const Cubes* above_cubes, const double* above) {
    if (!cubes.gaining[side]) return;
    const int other = side == FIRST ? SECOND : FIRST;
    const int taker = (above ? above_cubes : &cubes)->at(other);
    for (int j = 0; j < columns; ++j) {
        const double taken = above ? above[taker * columns + j] : 2 * values[taker * columns + j];
        const double doubled = side == FIRST ? std::min(taken, cubes.won) : std::max(taken, cubes.lost);
        // The taker's own row is read before it is written: it is nobody's who may double now.
        for (int k = 0; k < cubes.owners_count; ++k) {
            if (cubes.owners[k] != side && cubes.owners[k] != CENTRE) continue;
            double& value = values[k * columns + j];
            value = side == FIRST ? std::max(value, doubled) : std::min(value, doubled);
        }
    }
}
}

const Level* Table::at(int height) const {
    for (const auto& level : levels) if (level.cubes.height == height) return &level;
    return nullptr;
}
size_t Table::bytes() const {
    size_t sum = 0;
    for (const auto& level : levels) sum += 8 * (level.first.size() + level.second.size());
    return sum;
}

TablePointer solved(SidePointer one, SidePointer two, const std::vector<Cubes>& heights, const Table* cubeless) {
    auto table = std::make_shared<Table>();
    table->sides[0] = one; table->sides[1] = two;
    const int rows = one->size(), columns = two->size();
    table->levels.reserve(heights.size());
    for (const auto& cubes : heights) {
        table->levels.emplace_back();
        Level& level = table->levels.back();
        level.cubes = cubes; level.rows = rows; level.columns = columns;
        if (cubeless && !cubes.gaining[0] && !cubes.gaining[1]) {
            const double middle = (cubes.won + cubes.lost) / 2, half = (cubes.won - cubes.lost) / 2;
            level.first = cubeless->levels[0].first; level.second = cubeless->levels[0].second;
            for (auto* values : {&level.first, &level.second}) for (double& each : *values) each = middle + half * each;
            continue;
        }
        const int many = cubes.owners_count, width = many * columns;
        const Level* above = table->at(2 * cubes.height);
        const Cubes* above_cubes = above ? &above->cubes : nullptr;
        level.first.assign(size_t(rows) * width, cubes.won);
        for (int i = 1; i < rows; ++i) for (int k = 0; k < many; ++k) level.of(level.first, i, k, 0) = cubes.lost;
        level.second = level.first;
        std::vector<double> best_second = level.second, best(width), mean(columns);
        const auto row = [&](auto& values, int i) { return values.data() + size_t(i) * width; };
        const size_t above_width = above ? size_t(above->cubes.owners_count) * columns : 0;
        const auto above_row = [&](const std::vector<double>& values, int i) { return values.data() + i * above_width; };
        for (int i = 1; i < rows; ++i) {
            double* first = row(level.first, i);
            std::fill(best.begin(), best.end(), 0.0);
            std::vector<double> one_roll(width);
            for (int r = 0; r < ROLLS; ++r) {
                const auto& ways = one->ways[i][r];
                std::copy_n(row(best_second, ways[0]), width, one_roll.begin());
                for (size_t w = 1; w < ways.size(); ++w) {
                    const double* other = row(best_second, ways[w]);
                    for (int x = 0; x < width; ++x) one_roll[x] = std::max(one_roll[x], other[x]);
                }
                for (int x = 0; x < width; ++x) best[x] += rolls()[r].chance * one_roll[x];
            }
            for (int k = 0; k < many; ++k) std::copy_n(best.begin() + k * columns + 1, columns - 1, first + k * columns + 1);
            std::copy_n(first, width, best.begin());
            act(cubes, FIRST, best.data(), columns, above_cubes, above ? above_row(above->first, i) : nullptr);
            double* second = row(level.second, i);
            for (int k = 0; k < many; ++k) {
                const double* after = best.data() + k * columns;
                for (int j = 1; j < columns; ++j) {
                    double sum = 0;
                    for (int r = 0; r < ROLLS; ++r) {
                        const auto& ways = two->ways[j][r];
                        double least = after[ways[0]];
                        for (size_t w = 1; w < ways.size(); ++w) least = std::min(least, after[ways[w]]);
                        sum += rolls()[r].chance * least;
                    }
                    second[k * columns + j] = sum;
                }
            }
            std::copy_n(second, width, best.begin());
            act(cubes, SECOND, best.data(), columns, above_cubes, above ? above_row(above->second, i) : nullptr);
            for (int k = 0; k < many; ++k) std::copy_n(best.begin() + k * columns + 1, columns - 1, row(best_second, i) + k * columns + 1);
        }
    }
    return table;
}

// --- races ------------------------------------------------------------------------------------

namespace {
constexpr int PIPS = 130;  // positions of the simpler game: a side is a number of pips
constexpr double BY_VARIANCE = 0.0008, ON_ROLL = 0.0001;

struct Simple {
    SidePointer side;
    std::vector<double> means, variances, wins, count;  // wins[i][j]
    TablePointer chances;
};
void mean_and_variance(const Spread& c, double& mean, double& variance) {
    double sum = 0, squares = 0;
    for (int n = 0; n < MOST_ROLLS; ++n) { sum += c[n] * n; squares += c[n] * (n * n); }
    mean = sum; variance = squares - sum * sum;
}
const Simple& simple() {
    static const Simple found = [] {
        Simple s;
        auto side = std::make_shared<Side>();
        side->ways.resize(PIPS);
        std::vector<Spread> chances(PIPS, Spread{});
        chances[0][0] = 1;
        for (int p = 0; p < PIPS; ++p) for (int r = 0; r < ROLLS; ++r) {
            const auto& roll = rolls()[r];
            const int left = std::max(p - (roll.high == roll.low ? 4 * roll.high : roll.high + roll.low), 0);
            side->ways[p][r] = {left};
            if (p) for (int n = 1; n < MOST_ROLLS; ++n) chances[p][n] += roll.chance * chances[left][n - 1];
        }
        s.side = side;
        s.means.resize(PIPS); s.variances.resize(PIPS); s.count.resize(PIPS); s.wins.resize(PIPS * PIPS);
        for (int p = 0; p < PIPS; ++p) { mean_and_variance(chances[p], s.means[p], s.variances[p]); s.count[p] = p; }
        for (int j = 0; j < PIPS; ++j) {
            const Spread later = or_more(chances[j]);
            for (int i = 0; i < PIPS; ++i) s.wins[i * PIPS + j] = dot(chances[i], later);
        }
        const Cubes none{1, 1, {CENTRE, 0, 0}, {false, false}, 1, -1};
        s.chances = solved(side, side, {none}, nullptr);
        return s;
    }();
    return found;
}

// A place between four positions of the simpler game: x pips of ours and y of theirs.
struct Place {
    int i, j;
    double parts[4];
    Place(double x, double y) {
        x = std::clamp(x, 0.0, PIPS - 1.001); y = std::clamp(y, 0.0, PIPS - 1.001);
        i = int(x); j = int(y);
        const double u = x - i, v = y - j;
        parts[0] = (1 - v) * (1 - u); parts[1] = (1 - v) * u; parts[2] = v * (1 - u); parts[3] = v * u;
    }
    template<class F> double of(F&& at) const {
        return parts[0] * at(i, j) + parts[1] * at(i + 1, j) + parts[2] * at(i, j + 1) + parts[3] * at(i + 1, j + 1);
    }
};

// The positions after the last roll that is followed.
struct Last {
    int rows, columns;
    std::vector<double> wins;
    std::vector<Place> places;
    Last(const std::vector<Spread>& own, const std::vector<Spread>& other) : rows(int(own.size())), columns(int(other.size())) {
        const auto equivalent = [](const Spread& c, double& pips, double& more) {
            double mean, variance;
            mean_and_variance(c, mean, variance);
            pips = between(mean, simple().means, simple().count, PIPS);
            more = variance - between(pips, simple().count, simple().variances, PIPS);
        };
        std::vector<double> y(columns), more_theirs(columns);
        std::vector<Spread> later(columns);
        for (int j = 0; j < columns; ++j) { equivalent(other[j], y[j], more_theirs[j]); later[j] = or_more(other[j]); }
        wins.reserve(size_t(rows) * columns); places.reserve(size_t(rows) * columns);
        const auto chance = [](int i, int j) { return simple().wins[i * PIPS + j]; };
        for (int i = 0; i < rows; ++i) {
            double x, more;
            equivalent(own[i], x, more);
            for (int j = 0; j < columns; ++j) {
                const double win = dot(own[i], later[j]);
                double shift = 0;
                for (int step = 0; step < 2; ++step) {
                    const double here = Place(x - shift, y[j] + shift).of(chance);
                    const double gained = Place(x - (shift + 0.5), y[j] + (shift + 0.5)).of(chance);
                    const double lost = Place(x - (shift - 0.5), y[j] + (shift - 0.5)).of(chance);
                    shift += std::clamp((win - here) / std::max(gained - lost, 1e-3), -2.0, 2.0);
                }
                shift -= (BY_VARIANCE * (more - more_theirs[j]) + ON_ROLL) * (x + y[j]);
                wins.push_back(win);
                places.emplace_back(x - shift, y[j] + shift);
            }
        }
    }
};

// Where a side can be after some rolls: the positions, 0 for off, and how likely each leads to which.
struct Walk {
    std::vector<std::vector<int>> numbers;
    std::vector<std::vector<std::array<int, ROLLS>>> ways;  // [step][position][roll]: a place in the next numbers
    explicit Walk(std::vector<int> starts) : numbers{std::move(starts)} {}
    void go_on() {
        const auto& from = numbers.back();
        std::vector<int> reached;
        for (int number : from) for (int r = 0; r < ROLLS; ++r) reached.push_back(course().plays[number][r]);
        auto all = reached;
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        std::vector<std::array<int, ROLLS>> next(from.size());
        for (size_t i = 0; i < from.size(); ++i) for (int r = 0; r < ROLLS; ++r)
            next[i][r] = int(std::lower_bound(all.begin(), all.end(), reached[i * ROLLS + r]) - all.begin());
        numbers.push_back(std::move(all));
        ways.push_back(std::move(next));
    }
    void of_a_roll(const std::vector<std::array<Spread, ROLLS>>& after) {
        std::vector<int> ends;
        std::vector<std::array<int, ROLLS>> next(after.size());
        for (size_t i = 0; i < after.size(); ++i) for (int r = 0; r < ROLLS; ++r) {
            next[i][r] = int(ends.size());
            ends.push_back(after[i][r][0] < 1);
        }
        numbers.push_back(std::move(ends));
        ways.push_back(std::move(next));
    }
};

// Values [ours][owner][theirs] at one height of the cube, found backwards, half a turn at a time.
struct Steps {
    const Cubes* cubes;
    struct Values { int rows, columns; std::vector<double> v; };
    std::vector<Values> values;
    void begin(Values found, const std::vector<int>& ours, const std::vector<int>& theirs) {
        const int many = cubes->owners_count;
        for (int i = 0; i < found.rows; ++i) for (int k = 0; k < many; ++k) for (int j = 0; j < found.columns; ++j) {
            double& value = found.v[(size_t(i) * many + k) * found.columns + j];
            if (!theirs[j]) value = cubes->lost;
            if (!ours[i]) value = cubes->won;
        }
        values.push_back(std::move(found));
    }
    void back(int side, const std::vector<std::array<int, ROLLS>>& ways, const std::vector<int>& ours, const std::vector<int>& theirs, const Steps* above) {
        Values best = values.back();
        const int many = cubes->owners_count, width = many * best.columns;
        const int other = side == FIRST ? SECOND : FIRST;
        const Values* raised = above ? &above->values[values.size() - 1] : nullptr;
        const int raised_width = above ? above->cubes->owners_count * best.columns : 0;
        for (int i = 0; i < best.rows; ++i)
            act(*cubes, other, best.v.data() + size_t(i) * width, best.columns, above ? above->cubes : nullptr,
                raised ? raised->v.data() + size_t(i) * raised_width : nullptr);
        Values found{side == FIRST ? int(ways.size()) : best.rows, side == FIRST ? best.columns : int(ways.size()), {}};
        found.v.assign(size_t(found.rows) * many * found.columns, 0);
        if (side == FIRST) {
            for (int i = 0; i < found.rows; ++i) for (int r = 0; r < ROLLS; ++r) {
                const double chance = rolls()[r].chance;
                const double* from = best.v.data() + size_t(ways[i][r]) * width;
                double* to = found.v.data() + size_t(i) * width;
                for (int x = 0; x < width; ++x) to[x] += chance * from[x];
            }
        } else {
            for (int i = 0; i < found.rows; ++i) for (int k = 0; k < many; ++k) {
                const double* from = best.v.data() + (size_t(i) * many + k) * best.columns;
                double* to = found.v.data() + (size_t(i) * many + k) * found.columns;
                for (int j = 0; j < found.columns; ++j) for (int r = 0; r < ROLLS; ++r) to[j] += rolls()[r].chance * from[ways[j][r]];
            }
        }
        begin(std::move(found), ours, theirs);
    }
};

const Table& simple_table(const std::vector<Cubes>& stakes) {
    static std::map<std::vector<double>, TablePointer> known;
    std::vector<double> key;
    for (const auto& c : stakes) for (double x : {double(c.height), double(c.owners_count), double(c.owners[0]), double(c.owners[1]), double(c.owners[2]), double(c.gaining[0]), double(c.gaining[1]), c.won, c.lost}) key.push_back(x);
    auto& table = known[key];
    if (!table) {
        if (known.size() > 256) { known.clear(); return *(known[key] = solved(simple().side, simple().side, stakes, simple().chances.get())); }
        table = solved(simple().side, simple().side, stakes, simple().chances.get());
    }
    return *table;
}

const std::vector<int>& reached(int number, int count) {
    static std::map<std::pair<int, int>, std::vector<int>> known;
    if (known.size() > 1 << 13) known.clear();
    const auto old = known.find({number, count});
    if (old != known.end()) return old->second;
    const std::vector<int> before = count == 1 ? std::vector<int>{number} : reached(number, count - 1);
    std::vector<int> all;
    for (int each : before) for (int r = 0; r < ROLLS; ++r) all.push_back(course().plays[each][r]);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return known[{number, count}] = std::move(all);
}
}

int worth_following(int roller, int waiter) {
    int count = 1;
    while (count < 5) {
        const size_t ours = reached(roller, count + 1).size();
        if (ours * reached(waiter, count + 1).size() > 30000) break;
        ++count;
    }
    return count;
}

bool race(const std::vector<Counts>& sides, int count, const std::vector<std::vector<Cubes>>& stakes, const std::vector<Asked>& asked,
          std::vector<std::vector<double>>& found, std::vector<double>& wins) {
    std::vector<Spread> chances(sides.size());
    for (size_t s = 0; s < sides.size(); ++s) if (!(count ? followed(sides[s], chances[s]) : at_sight(sides[s], chances[s]))) return false;
    wins.clear();
    for (size_t s = 1; s < sides.size(); ++s) wins.push_back(dot(chances[0], or_more(chances[s])));
    std::vector<int> all(sides.size() - 1, 1), first{1};
    std::vector<Spread> own, others;
    if (count > 1) {
        first[0] = number_of(sides[0]);
        for (size_t s = 1; s < sides.size(); ++s) all[s - 1] = number_of(sides[s]);
    }
    Walk ours(first), theirs(all);
    if (count > 1) {
        for (int step = 0; step < count; ++step) { ours.go_on(); theirs.go_on(); }
        for (int number : ours.numbers[count]) own.push_back(spread_at_home(number));
        for (int number : theirs.numbers[count]) others.push_back(spread_at_home(number));
    } else if (count == 1) {
        std::vector<std::array<Spread, ROLLS>> one(1), many(sides.size() - 1);
        after_rolls(sides[0], one[0]);
        for (size_t s = 1; s < sides.size(); ++s) after_rolls(sides[s], many[s - 1]);
        ours.of_a_roll(one); theirs.of_a_roll(many);
        own.assign(one[0].begin(), one[0].end());
        for (const auto& each : many) others.insert(others.end(), each.begin(), each.end());
    } else {
        own = {chances[0]};
        others.assign(chances.begin() + 1, chances.end());
    }
    const Last last(own, others);
    found.assign(asked.size(), {});
    for (size_t which = 0; which < stakes.size(); ++which) {
        const Table& table = simple_table(stakes[which]);
        std::map<int, Steps> steps;
        for (const auto& level : table.levels) {
            const auto& cubes = level.cubes;
            const auto twice = steps.find(2 * cubes.height);
            const Steps* above = twice == steps.end() ? nullptr : &twice->second;
            Steps here{&cubes, {}};
            Steps::Values ends{last.rows, last.columns, {}};
            ends.v.resize(size_t(last.rows) * cubes.owners_count * last.columns);
            for (int i = 0; i < last.rows; ++i) for (int k = 0; k < cubes.owners_count; ++k) for (int j = 0; j < last.columns; ++j) {
                const size_t at = size_t(i) * last.columns + j;
                ends.v[(size_t(i) * cubes.owners_count + k) * last.columns + j] = cubes.alive(cubes.owners[k])
                    ? last.places[at].of([&](int a, int b) { return level.of(level.first, a, k, b); })
                    : cubes.lost + (cubes.won - cubes.lost) * last.wins[at];
            }
            here.begin(std::move(ends), ours.numbers[count], theirs.numbers[count]);
            for (int step = count - 1; step >= 0; --step) {
                here.back(SECOND, theirs.ways[step], ours.numbers[step + 1], theirs.numbers[step], above);
                here.back(FIRST, ours.ways[step], ours.numbers[step], theirs.numbers[step], above);
            }
            steps.emplace(cubes.height, std::move(here));
        }
        for (size_t q = 0; q < asked.size(); ++q) {
            if (asked[q].stakes != int(which)) continue;
            const auto held = steps.find(asked[q].height);
            const int height = held == steps.end() ? 1 : asked[q].height;
            const Steps& here = steps.at(height);
            const auto& values = here.values.back();
            const int at = here.cubes->at(asked[q].owner);
            const double factor = double(asked[q].height) / height;
            for (int j = 0; j < values.columns; ++j) found[q].push_back(values.v[size_t(at) * values.columns + j] * factor);
        }
    }
    return true;
}

// --- gammons ----------------------------------------------------------------------------------

std::vector<double> lost(const Side& side, const std::vector<double>& costs, int kinds, int leader, bool leader_rolls) {
    const Spread ends = spread_at_home(leader);
    int last = 0;
    for (int n = 0; n < MOST_ROLLS; ++n) if (ends[n] > 1e-7) last = n;
    const int size = side.size();
    std::vector<double> found(costs.size(), 0.0), next(costs.size());
    for (int n = last; n > (leader_rolls ? 1 : 0); --n) {
        for (size_t x = 0; x < found.size(); ++x) found[x] += costs[x] * ends[n];
        for (int i = 0; i < size; ++i) for (int k = 0; k < kinds; ++k) {
            double sum = 0;
            for (int r = 0; r < ROLLS; ++r) {
                double least = INFINITE;
                for (int way : side.ways[i][r]) least = std::min(least, found[way * kinds + k]);
                sum += rolls()[r].chance * least;
            }
            next[i * kinds + k] = sum;
        }
        found.swap(next);
    }
    if (leader_rolls) for (size_t x = 0; x < found.size(); ++x) found[x] += costs[x] * ends[1];
    return found;
}

}  // namespace endings
