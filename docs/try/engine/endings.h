// Endings, as bgtools/bearoff has them with NumPy: the same tables, the same approximation, the same order of sums
// where a tie could fall otherwise. tests/site/test_engine.py holds both against each other.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace endings {

constexpr int CHECKERS = 15, HOME = 6, POINTS = 25, ROLLS = 21, MOST_ROLLS = 32;
using Counts = std::array<int, POINTS>;  // how many checkers are on each point; 0 is off, which is not counted
using Spread = std::array<double, MOST_ROLLS>;
enum { FIRST, SECOND, CENTRE };

struct Roll { int high, low; double chance; };
const std::array<Roll, ROLLS>& rolls();

// --- one side ---
struct Course {
    std::vector<double> means;
    std::vector<std::array<uint16_t, ROLLS>> plays;
    std::vector<std::array<float, MOST_ROLLS>> chances;
};
const Course& course();
int number_of(const Counts& counts);  // of a side that is all at home
bool is_home(const Counts& counts);
Spread spread_at_home(int number);

// The network of sides that still come home: five tables of doubles, one behind the other.
void set_network(const float* values, int count);
// The chances of every number of rolls; false where a side is too far off.
bool at_sight(const Counts& counts, Spread& found);
bool after_rolls(const Counts& counts, std::array<Spread, ROLLS>& found);

// --- two sides ---
// The positions that a side can come to; 0 is off. ways[position][roll]: where a roll can lead.
struct Side {
    std::vector<std::array<std::vector<int>, ROLLS>> ways;
    std::map<std::vector<uint8_t>, int> numbers;
    int size() const { return int(ways.size()); }
};
using SidePointer = std::shared_ptr<const Side>;
SidePointer rolling(const std::vector<std::array<std::vector<int>, HOME>>& hops);
SidePointer reachable(const Counts& start);  // null where a table would be too large

struct Cubes {
    int height, owners_count;
    int owners[3];
    bool gaining[2];
    double won, lost;
    int at(int owner) const;
    bool alive(int owner) const;
};
struct Level {
    Cubes cubes;
    int rows, columns;
    std::vector<double> first, second;  // [i][owner][j]
    double& of(std::vector<double>& v, int i, int at, int j) const { return v[(size_t(i) * cubes.owners_count + at) * columns + j]; }
    double of(const std::vector<double>& v, int i, int at, int j) const { return v[(size_t(i) * cubes.owners_count + at) * columns + j]; }
};
struct Table {
    SidePointer sides[2];
    std::vector<Level> levels;  // the highest first
    const Level* at(int height) const;
    size_t bytes() const;
};
using TablePointer = std::shared_ptr<Table>;
TablePointer solved(SidePointer first, SidePointer second, const std::vector<Cubes>& levels, const Table* cubeless);

// --- races ---
struct Asked { int stakes, height, owner; };
// What rolling on is worth to the side on roll, against each of the others, for each question; and its chance to win.
// sides: the side on roll, then the others. rolls: how many of each side are followed. False where one is too far off.
bool race(const std::vector<Counts>& sides, int rolls, const std::vector<std::vector<Cubes>>& stakes,
          const std::vector<Asked>& asked, std::vector<std::vector<double>>& values, std::vector<double>& wins);
int worth_following(int roller, int waiter);
// The chance that the first side is off first when it rolls, at sight; below 0 where one is too far off.
double first_off(const Counts& own, const Counts& other);

// What is lost from each position of a trailer: [position][gammon, both].
std::vector<double> lost(const Side& side, const std::vector<double>& costs, int kinds, int leader, bool leader_rolls);

}  // namespace endings
