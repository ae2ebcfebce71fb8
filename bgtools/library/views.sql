-- What queries see: each match once, as the record tells it that stands for it.
-- A comment above a view says what a row is, one above a macro what it means; `bgtools library info` prints both.

-- The name that a player goes by.
CREATE MACRO person(given) AS coalesce((SELECT a.person FROM stored.aliases a WHERE a.name = given), given);

-- Pips that the player is ahead, below 0 behind; b is a row of the table of positions.
CREATE MACRO lead(b) AS (b.opponent_pips - b.pips)::INTEGER;

-- Whether the player has two checkers or more on a point, from 1 to 24.
CREATE MACRO holds(b, point) AS [b.p1, b.p2, b.p3, b.p4, b.p5, b.p6, b.p7, b.p8, b.p9, b.p10, b.p11, b.p12, b.p13,
    b.p14, b.p15, b.p16, b.p17, b.p18, b.p19, b.p20, b.p21, b.p22, b.p23, b.p24][point] >= 2;

-- Whether the other has two checkers or more on a point, counted from the player's side.
CREATE MACRO opponent_holds(b, point) AS [b.p1, b.p2, b.p3, b.p4, b.p5, b.p6, b.p7, b.p8, b.p9, b.p10, b.p11, b.p12,
    b.p13, b.p14, b.p15, b.p16, b.p17, b.p18, b.p19, b.p20, b.p21, b.p22, b.p23, b.p24][point] <= -2;

-- Checkers of the player on the bar.
CREATE MACRO on_bar(b) AS b.p25;

-- Checkers of the other on the bar.
CREATE MACRO opponent_on_bar(b) AS (-b.p0)::TINYINT;

-- Whether the player may double, before any roll but the first: he has access to the cube, and it is not dead.
CREATE MACRO can_double(b) AS b.turn > 1 AND NOT b.crawford AND b.cube_owner <> 'theirs' AND (b.away = 0 OR b.away > b.cube);

-- A row of the table of positions as an XGID; of a match to as many points as the player or the other lacks, whoever lacks more.
CREATE MACRO xgid_of(b) AS 'XGID=' || array_to_string([
        CASE WHEN n > 0 THEN chr(64 + n) WHEN n < 0 THEN chr(96 - n) ELSE '-' END
        FOR n IN [b.p0, b.p1, b.p2, b.p3, b.p4, b.p5, b.p6, b.p7, b.p8, b.p9, b.p10, b.p11, b.p12, b.p13, b.p14, b.p15,
            b.p16, b.p17, b.p18, b.p19, b.p20, b.p21, b.p22, b.p23, b.p24, b.p25]::INTEGER[]
    ], '') || ':' || log2(b.cube)::INTEGER || ':' || CASE b.cube_owner WHEN 'mine' THEN 1 WHEN 'theirs' THEN -1 ELSE 0 END
    || ':1:' || CASE WHEN b.action = 'double' THEN 'D' WHEN b.dice = '' THEN '00' ELSE b.dice END
    || ':' || (greatest(b.away, b.opponent_away) - b.away) || ':' || (greatest(b.away, b.opponent_away) - b.opponent_away)
    || ':' || b.crawford::INTEGER || ':' || greatest(b.away, b.opponent_away) || ':10';

-- One row a file that was added, and one for each other path that has its content.
CREATE VIEW sources AS SELECT * EXCLUDE (content) FROM stored.sources;

-- One row a record; `match` is the record that stands for its match, which may be itself.
CREATE VIEW records AS
SELECT coalesce(g.match, m.record) AS match, m.* EXCLUDE (fingerprint, keys), person(m.player0) AS person0, person(m.player1) AS person1
FROM stored.matches m LEFT JOIN stored.groups g ON g.record = m.record;

-- One row a match, with the number of its records.
CREATE VIEW matches AS
SELECT r.* EXCLUDE (match), n.records
FROM records r JOIN (SELECT match, count(*) AS records FROM records GROUP BY match) n ON n.match = r.record;

-- One row a player of a match.
CREATE VIEW players AS
SELECT
    record,
    player,
    CASE player WHEN 0 THEN player0 ELSE player1 END AS name,
    CASE player WHEN 0 THEN person0 ELSE person1 END AS person,
    CASE player WHEN 0 THEN person1 ELSE person0 END AS opponent,
    length,
    event,
    date,
    place,
    CASE player WHEN 0 THEN score0 ELSE score1 END AS points,
    CASE player WHEN 0 THEN score1 ELSE score0 END AS opponent_points,
    winner = player AS won
FROM matches, (VALUES (0::TINYINT), (1::TINYINT)) seats(player);

-- One row a game.
CREATE VIEW games AS SELECT * FROM stored.games ANTI JOIN stored.others USING (record);

-- One row an entry of a record: a roll with its play, or a cube action.
CREATE VIEW turns AS SELECT * FROM stored.turns ANTI JOIN stored.others USING (record);

-- One row a roll or double: the board before it as the player sees it.
CREATE VIEW positions AS SELECT * FROM stored.positions ANTI JOIN stored.others USING (record);

-- One row a finding of `bgtools check`.
CREATE VIEW findings AS SELECT * FROM stored.findings ANTI JOIN stored.others USING (record);

-- One row an analysis of a record, and whether it is the one that `decisions`, `choices` and `totals` show.
CREATE VIEW analyses AS
SELECT
    *,
    row_number() OVER (PARTITION BY match ORDER BY standing DESC, record = match DESC, engine, record) = 1 AS chosen
FROM (
    SELECT DISTINCT r.match, t.record, t.engine, t.standing
    FROM stored.totals t JOIN records r ON r.record = t.record
);

-- One row a decision of a match that was analysed; docs/tables.md describes the figures.
CREATE VIEW decisions AS
SELECT a.match, d.*
FROM stored.decisions d JOIN analyses a ON a.chosen AND a.record = d.record AND a.engine = d.engine;

-- One row a choice that an engine valued.
CREATE VIEW choices AS
SELECT a.match, c.*
FROM stored.choices c JOIN analyses a ON a.chosen AND a.record = c.record AND a.engine = c.engine;

-- One row a player of a match that was analysed, with his figures.
CREATE VIEW totals AS
SELECT a.match, person(t.name) AS person, person(t.opponent) AS opponent_person, t.*
FROM stored.totals t JOIN analyses a ON a.chosen AND a.record = t.record AND a.engine = t.engine;
