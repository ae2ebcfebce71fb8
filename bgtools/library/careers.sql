-- What the figures of players are made of; bgtools.library.careers asks it.

CREATE SCHEMA careers;

-- One row per player of an analysed record, with their seat in the match.
CREATE TABLE careers.seats AS
SELECT match, record, engine, seat AS player, CASE WHEN turned THEN 1 - seat ELSE seat END AS seat
FROM stored.chosen, (VALUES (0), (1)) seats(seat);

-- One row per player of a match, with their figures from the match's analysis; NULL where it has none.
CREATE TABLE careers.sides AS
SELECT
    p.record AS match, p.player AS seat, p.name, p.person, p.opponent, p.length,
    coalesce(p.event, '') AS event,
    coalesce(p.date_text, '') AS date,
    coalesce(CAST(p.date AS VARCHAR), '') AS day,
    left(coalesce(CAST(p.date AS VARCHAR), ''), 7) AS month,
    p.points, p.opponent_points, p.won,
    s.record, s.engine, s.player,
    t.xg_pr_divided_by AS counted, t.xg_pr * t.xg_pr_divided_by AS lost,
    t.luck_rolls AS rolls, t.luck_emg AS luck,
    t.luck_adjusted_result_unit AS unit, t.luck_adjusted_result_actual AS actual,
    t.luck_adjusted_result_adjusted AS adjusted
FROM players p
LEFT JOIN careers.seats s ON s.match = p.record AND s.seat = p.player
LEFT JOIN stored.totals t ON t.record = s.record AND t.engine = s.engine AND t.player = s.player;

-- One row per analysed decision. `lost` is what it adds to the sum that PR divides by the number of decisions: its loss
-- times pr_factor; NULL where XG does not count the decision.
CREATE VIEW careers.judged AS
SELECT
    s.match, s.seat, s.person, s.opponent, s.month, s.event, s.length, s.engine,
    d.kind, d.phase, d.themes, d.luck,
    CASE WHEN d.xg_counted THEN pr_factor(d.length) * coalesce(d.loss, 0) END AS lost
FROM stored.decisions d
JOIN careers.sides s ON s.record = d.record AND s.engine = d.engine AND s.player = d.player;
