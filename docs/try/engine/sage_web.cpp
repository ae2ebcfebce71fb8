// The boundary between JavaScript and the engine: the calls that bgtools makes of bgsage's Python module and of its own
// kernel of endings, on flat arrays. Rollouts are left out: they want hours, and processes.
// A board is 26 int32, a context 7 (owner 0 centre 1 mine 2 theirs, cube, away, away, Crawford, Jacoby, beaver).
#include "bgbot/bearoff.h"
#include "bgbot/board.h"
#include "bgbot/cube.h"
#include "bgbot/moves.h"
#include "bgbot/multipy.h"
#include "bgbot/neural_net.h"
#include "bgbot/pubeval.h"
#include "endings.h"
using namespace bgbot;

std::map<std::string, WebFile>& web_files() { static std::map<std::string, WebFile> files; return files; }

namespace {
constexpr int BOARD = 26, CONTEXT = 7, ITEM = BOARD + CONTEXT;
std::string last_error;
BearoffDB table;
std::shared_ptr<Strategy> network;           // with the bear-off table in front, where there is one
std::shared_ptr<MultiPlyStrategy> averaging; // 2-ply without a cube
std::shared_ptr<PubEval> pubeval;

Board board_at(const int* item) { Board b{}; std::copy(item, item + BOARD, b.begin()); return b; }
CubeInfo cube_at(const int* item) {
    const int* c = item + BOARD;
    return {c[1], static_cast<CubeOwner>(c[0]), {c[2], c[3], c[4] != 0}, -1.0f, c[5] != 0, c[6] != 0};
}
template<typename F> int guarded(F&& work) {
    try { return work(); }
    catch (const std::exception& error) { last_error = error.what(); }
    catch (...) { last_error = "unknown exception"; }
    return -1;
}
void put(float* out, const std::array<float, 5>& probs) { std::copy(probs.begin(), probs.end(), out); }
}

// Destructors of thread-local caches: the one thread never ends.
extern "C" int __cxa_thread_atexit(void (*)(void*), void*, void*) { return 0; }

#define EXPORT extern "C" __attribute__((visibility("default")))
EXPORT void* sage_alloc(int size) { return std::malloc(size); }
EXPORT void sage_free(void* p) { std::free(p); }
EXPORT const char* sage_error() { return last_error.c_str(); }
// The file stays where it is in memory until sage_open has read it.
EXPORT void sage_file(const char* name, const char* data, int size) { web_files()[name] = {data, size_t(size)}; }

// names: one a line, in the order of the model; hidden: their sizes. Needs the files of sage_file.
EXPORT int sage_open(const char* names, const int* hidden, int count, const char* bearoff) {
    return guarded([&] {
        std::vector<std::string> paths; std::string line; std::istringstream in(names);
        while (std::getline(in, line)) paths.push_back(line);
        std::vector<int> sizes(hidden, hidden + count);
        std::shared_ptr<Strategy> base = std::make_shared<BackgameAwarePairStrategy>(paths, sizes, true);
        averaging = std::make_shared<MultiPlyStrategy>(base, 2, MoveFilter{5, 0.08f}, false, false, 0);
        pubeval = std::make_shared<PubEval>();
        averaging->set_move_prefilter(pubeval);
        network = base;
        if (bearoff && *bearoff) {
            if (!table.load(bearoff)) throw std::runtime_error("bear-off table does not load");
            network = std::make_shared<BearoffStrategy>(base, &table);
            averaging->set_bearoff_db(&table);
        }
        web_files().clear();
        return 0;
    });
}
// The boards after a roll, at most `most`; how many.
EXPORT int sage_moves(const int* board, int high, int low, int* out, int most) {
    return guarded([&] {
        std::vector<Board> found; possible_boards(board_at(board), high, low, found);
        if (int(found.size()) > most) throw std::runtime_error("too many plays");
        for (const auto& b : found) { std::copy(b.begin(), b.end(), out); out += BOARD; }
        return int(found.size());
    });
}
EXPORT int sage_is_race(const int* board) { return is_race(board_at(board)); }
EXPORT float sage_cube_life(const float* probs, int race, int mine, int theirs) {
    std::array<float, 5> p; std::copy(probs, probs + 5, p.begin());
    return cube_efficiency(p, race != 0, mine, theirs);
}
// Boards after a play, for the player who moved: 5 chances and the cubeful equity each.
EXPORT int sage_post_move(const int* items, int count, int averaged, float* out) {
    return guarded([&] {
        for (int i = 0; i < count; ++i, items += ITEM, out += 6) {
            const Board b = board_at(items); const bool race = is_race(b);
            const auto probs = averaged ? averaging->evaluate_probs(b, race) : network->evaluate_probs(b, race);
            auto [mine, theirs] = pip_counts(b);
            put(out, probs); out[5] = cl2cf(probs, cube_at(items), cube_efficiency(probs, race, mine, theirs));
        }
        if (averaged) averaging->clear_cache();
        return 0;
    });
}
// Boards before a roll at 1-ply: 5 chances, no double, double and take, double and pass, beaver.
EXPORT int sage_cube(const int* items, int count, float* out) {
    return guarded([&] {
        for (int i = 0; i < count; ++i, items += ITEM, out += 9) {
            const Board b = board_at(items); const bool race = is_race(b);
            const auto probs = invert_probs(network->evaluate_probs(flip(b), race));
            auto [mine, theirs] = pip_counts(b);
            const auto cd = cube_decision_1ply(probs, cube_at(items), cube_efficiency(probs, race, mine, theirs));
            put(out, probs); out[5] = cd.equity_nd; out[6] = cd.equity_dt; out[7] = cd.equity_dp; out[8] = cd.is_beaver;
        }
        return 0;
    });
}
// One board before a roll, searched: 5 chances and the cubeful equity.
EXPORT int sage_search(const int* item, int plies, float* out) {
    return guarded([&] {
        const auto v = cubeful_probs_and_equity_nply(board_at(item), cube_at(item), *network, plies, {5, 0.08f}, 1, nullptr, nullptr);
        put(out, v.probs); out[5] = v.equity;
        return 0;
    });
}
// --- endings: see bgtools/bearoff/kernel.py ---

namespace {
// A side is 25 int32: how many checkers are on each point; what is off is not counted.
endings::Counts counts_at(const int* side) { endings::Counts c{}; std::copy(side, side + endings::POINTS, c.begin()); c[0] = 0; return c; }
// The cube at each height, nine doubles: height, owners, three of them, who could gain, won, lost.
constexpr int HEIGHT = 9;
std::vector<endings::Cubes> cubes_at(const double* at, int count) {
    std::vector<endings::Cubes> found;
    for (int i = 0; i < count; ++i, at += HEIGHT)
        found.push_back({int(at[0]), int(at[1]), {int(at[2]), int(at[3]), int(at[4])}, {at[5] != 0, at[6] != 0}, at[7], at[8]});
    return found;
}
struct Trailer { endings::SidePointer side; std::vector<double> costs; int kinds; };
int last_handle = 0;
std::map<int, endings::SidePointer> sides;
std::map<int, endings::TablePointer> tables;
std::map<int, Trailer> trailers;
}

EXPORT int sage_network(const float* values, int count) { return guarded([&] { endings::set_network(values, count); return 0; }); }
EXPORT double sage_mean_rolls(int number) { return endings::course().means.at(number); }
EXPORT void sage_chances_of_rolls(int number, double* out) {
    const auto found = endings::spread_at_home(number);
    std::copy(found.begin(), found.end(), out);
}
EXPORT double sage_first_off(const int* two) { return endings::first_off(counts_at(two), counts_at(two + endings::POINTS)); }
EXPORT int sage_worth_following(int roller, int waiter) { return endings::worth_following(roller, waiter); }
// starts: for each how many heights it has; heights: theirs, one start behind the other; asked: three int32 for each
// question. Out: the chances to win, then the values of each question. 0 where a side is too far off.
EXPORT int sage_race(const int* all, int count, int rolls, const int* starts, int starts_count, const double* heights, const int* asked, int asked_count, double* out) {
    return guarded([&] {
        std::vector<endings::Counts> each;
        for (int i = 0; i < count; ++i) each.push_back(counts_at(all + i * endings::POINTS));
        std::vector<std::vector<endings::Cubes>> stakes;
        for (int i = 0; i < starts_count; ++i) { stakes.push_back(cubes_at(heights, starts[i])); heights += starts[i] * HEIGHT; }
        std::vector<endings::Asked> questions;
        for (int i = 0; i < asked_count; ++i) questions.push_back({asked[3 * i], asked[3 * i + 1], asked[3 * i + 2]});
        std::vector<std::vector<double>> values;
        std::vector<double> wins;
        if (!endings::race(each, rolls, stakes, questions, values, wins)) return 0;
        out = std::copy(wins.begin(), wins.end(), out);
        for (const auto& row : values) out = std::copy(row.begin(), row.end(), out);
        return 1;
    });
}
// The positions of a side, by a handle; 0 where they are too many.
EXPORT int sage_side(const int* counts) {
    return guarded([&] {
        auto side = endings::reachable(counts_at(counts));
        if (!side) return 0;
        sides[++last_handle] = side;
        return last_handle;
    });
}
EXPORT int sage_side_size(int handle) { return sides.at(handle)->size(); }
EXPORT void sage_side_boards(int handle, unsigned char* out) {
    for (const auto& [board, number] : sides.at(handle)->numbers) std::copy(board.begin(), board.end(), out + size_t(number) * endings::POINTS);
}
EXPORT int sage_table(int first, int second, const double* heights, int count, int cubeless) {
    return guarded([&] {
        tables[++last_handle] = endings::solved(sides.at(first), sides.at(second), cubes_at(heights, count), cubeless ? tables.at(cubeless).get() : nullptr);
        return last_handle;
    });
}
EXPORT double sage_table_bytes(int handle) { return double(tables.at(handle)->bytes()); }
EXPORT double sage_look(int handle, int height, int at, int i, int j, int on_roll) {
    const auto* level = tables.at(handle)->at(height);
    return level->of(on_roll ? level->second : level->first, i, at, j);
}
// hops: for each die how many, then pairs. costs: `kinds` for each position.
EXPORT int sage_trailer(int size, const int* hops, const double* costs, int kinds) {
    return guarded([&] {
        std::vector<std::array<std::vector<int>, endings::HOME>> all(size);
        for (int die = 0; die < endings::HOME; ++die)
            for (int count = *hops++; count; --count, hops += 2) all.at(hops[0])[die].push_back(hops[1]);
        trailers[++last_handle] = {endings::rolling(all), std::vector<double>(costs, costs + size * kinds), kinds};
        return last_handle;
    });
}
EXPORT int sage_lost(int handle, int leader, int leader_rolls, double* out) {
    return guarded([&] {
        const auto& it = trailers.at(handle);
        const auto found = endings::lost(*it.side, it.costs, it.kinds, leader, leader_rolls != 0);
        std::copy(found.begin(), found.end(), out);
        return 0;
    });
}
EXPORT void sage_forget(int handle) { sides.erase(handle); tables.erase(handle); trailers.erase(handle); }
