-- What the figures of players are made of; bgtools.library.careers asks it.

CREATE SCHEMA careers;

-- In which seat of an analysed record each player of its match sits. A record of a match may have its players the other
-- way round than the one that stands for it: names tell, and where they do not, who rolled what.
CREATE TABLE careers.seats AS
WITH chosen AS (
    SELECT a.match, a.record, a.engine, m.person0 AS left_name, m.person1 AS right_name, r.person0, r.person1
    FROM analyses a JOIN records r ON r.record = a.record JOIN records m ON m.record = a.match
    WHERE a.chosen
), told AS (
    SELECT *, CASE
        WHEN record = match OR (person0 = left_name AND person1 = right_name) THEN false
        WHEN person0 = right_name AND person1 = left_name THEN true
        WHEN person0 = left_name OR person1 = right_name THEN false
        WHEN person0 = right_name OR person1 = left_name THEN true
    END AS by_name
    FROM chosen
), rolled AS (
    SELECT t.record, sum(CASE WHEN a.player = b.player THEN 1 ELSE -1 END) < 0 AS by_rolls
    FROM told t
    JOIN stored.turns a ON a.record = t.record AND a.dice <> ''
    JOIN stored.turns b ON b.record = t.match AND b.game = a.game AND b.turn = a.turn AND b.dice = a.dice
    WHERE t.by_name IS NULL
    GROUP BY t.record
), swapped AS (
    SELECT match, record, engine, coalesce(by_name, by_rolls, false) AS swapped
    FROM told LEFT JOIN rolled USING (record)
)
SELECT match, record, engine, seat AS player, CASE WHEN swapped THEN 1 - seat ELSE seat END AS seat
FROM swapped, (VALUES (0), (1)) seats(seat);

-- One row a player of a match, with what an analysis says of him there where there is one.
CREATE TABLE careers.sides AS
SELECT
    p.record AS match, p.player AS seat, p.name, p.person, p.opponent, p.length, p.event, p.date,
    CASE WHEN regexp_full_match(p.date, '[0-9]{4}-[0-9]{2}-[0-9]{2}') THEN p.date ELSE '' END AS day,
    left(CASE WHEN regexp_full_match(p.date, '[0-9]{4}-[0-9]{2}-[0-9]{2}') THEN p.date ELSE '' END, 7) AS month,
    p.points, p.opponent_points, p.won,
    s.record, s.engine, s.player,
    t.xg_pr_divided_by AS counted, t.xg_pr * t.xg_pr_divided_by AS lost,
    t.luck_rolls AS rolls, t.luck_emg AS luck,
    t.luck_adjusted_result_unit AS unit, t.luck_adjusted_result_actual AS actual,
    t.luck_adjusted_result_adjusted AS adjusted
FROM players p
LEFT JOIN careers.seats s ON s.match = p.record AND s.seat = p.player
LEFT JOIN stored.totals t ON t.record = s.record AND t.engine = s.engine AND t.player = s.player;

-- One row a decision that somebody made, with what it adds to the sum over which PR is the mean; NULL where XG does not
-- count it. pr_factor is what PR multiplies a loss with.
CREATE VIEW careers.judged AS
SELECT
    s.match, s.seat, s.person, s.opponent, s.month, s.event, s.length,
    d.kind, d.phase, d.themes, d.luck,
    CASE WHEN d.xg_counted THEN pr_factor(d.length) * coalesce(d.loss, 0) END AS lost
FROM stored.decisions d
JOIN careers.sides s ON s.record = d.record AND s.engine = d.engine AND s.player = d.player;
