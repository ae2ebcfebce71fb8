-- What the figures of players are made of; bgtools.library.careers asks it.

CREATE SCHEMA careers;

-- One row per player of a match, with their figures from the match's analysis; NULL where it has none.
CREATE TABLE careers.sides AS
SELECT
    p.record AS match, p.player AS seat, p.name, p.person, p.opponent, p.length,
    coalesce(p.event, '') AS event,
    coalesce(p.date_text, '') AS date,
    coalesce(CAST(p.date AS VARCHAR), '') AS day,
    left(coalesce(CAST(p.date AS VARCHAR), ''), 7) AS month,
    coalesce(p.date_from, '') AS date_from,
    p.points, p.opponent_points, p.won,
    c.engine,
    t.xg_pr_divided_by AS counted, t.xg_pr * t.xg_pr_divided_by AS lost,
    t.luck_rolls AS rolls, t.luck_emg AS luck,
    t.luck_adjusted_result_unit AS unit, t.luck_adjusted_result_actual AS actual,
    t.luck_adjusted_result_adjusted AS adjusted
FROM players p
LEFT JOIN stored.chosen c ON c.record = p.record
LEFT JOIN stored.totals t ON t.record = c.record AND t.engine = c.engine AND t.player = p.player;

-- One row per analysed decision. `lost` is what it adds to the sum that PR divides by the number of decisions: its loss
-- times pr_factor; NULL where XG does not count the decision.
CREATE VIEW careers.judged AS
SELECT
    s.match, s.seat, s.person, s.opponent, s.month, s.event, s.length, s.engine,
    d.kind, d.phase, d.themes, d.luck,
    CASE WHEN d.xg_counted THEN pr_factor(d.length) * coalesce(d.loss, 0) END AS lost
FROM stored.decisions d
JOIN careers.sides s ON s.match = d.record AND s.engine = d.engine AND s.seat = d.player;
