-- What queries see: each match once, as the record that stands for it has it.
-- A comment above a view says what a row is, one above a macro what it means; `bgtools library info` prints both.

-- The name that a player goes by.
CREATE MACRO person(given) AS coalesce((SELECT a.person FROM stored.aliases a WHERE a.name = given), given);

-- The name of whose library it is, as `bgtools library alias --me` or BGTOOLS_ME says; NULL where nobody has said so.
CREATE MACRO me() AS nullif('{me}', '');

-- Whether a name does not say who played: an empty one, Player 1, a colour, or a program.
CREATE MACRO is_nobody(given) AS regexp_full_match(lower(trim(given)), '{nobody}');

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

-- Whether the player may double, before any roll but the first: they have access to the cube, and it is not dead.
CREATE MACRO can_double(b) AS b.turn > 1 AND NOT b.crawford AND b.cube_owner <> 'theirs' AND (b.away = 0 OR b.away > b.cube);

-- A row of the table of positions as an XGID; the match is to the points that the player or the other lacks, whichever is more.
CREATE MACRO xgid_of(b) AS 'XGID=' || array_to_string([
        CASE WHEN n > 0 THEN chr(64 + n) WHEN n < 0 THEN chr(96 - n) ELSE '-' END
        FOR n IN [b.p0, b.p1, b.p2, b.p3, b.p4, b.p5, b.p6, b.p7, b.p8, b.p9, b.p10, b.p11, b.p12, b.p13, b.p14, b.p15,
            b.p16, b.p17, b.p18, b.p19, b.p20, b.p21, b.p22, b.p23, b.p24, b.p25]::INTEGER[]
    ], '') || ':' || log2(b.cube)::INTEGER || ':' || CASE b.cube_owner WHEN 'mine' THEN 1 WHEN 'theirs' THEN -1 ELSE 0 END
    || ':1:' || CASE WHEN b.action = 'double' THEN 'D' WHEN b.dice = '' THEN '00' ELSE b.dice END
    || ':' || (greatest(b.away, b.opponent_away) - b.away) || ':' || (greatest(b.away, b.opponent_away) - b.opponent_away)
    || ':' || b.crawford::INTEGER || ':' || greatest(b.away, b.opponent_away) || ':10';

-- One row per file that was added, and one for each other path that has its content.
CREATE VIEW sources AS SELECT * EXCLUDE (content) FROM stored.sources WHERE format <> 'joined';

-- One row per record, also for those that the library has put together.
CREATE VIEW stored.every_record AS
SELECT
    coalesce(g.match, m.record) AS match,
    m.* EXCLUDE (fingerprint, seats, keys) REPLACE (
        nullif(m.event, '') AS event,
        nullif(m.place, '') AS place,
        try_cast(m.date AS DATE) AS date,
        nullif(m.date_from, '') AS date_from
    ),
    nullif(m.date, '') AS date_text,
    person(m.player0) AS person0,
    person(m.player1) AS person1
FROM stored.matches m LEFT JOIN stored.groups g ON g.record = m.record;

-- One row per record that was added; `match` is the record that stands for its match, which may be itself, or one that the library has put together. `date` is a day, NULL where none is known; `date_text` is what the header says.
CREATE VIEW records AS SELECT * EXCLUDE (joined) FROM stored.every_record WHERE NOT joined;

-- One row per match, with the number of its records; names, event, date and place are the best that any of them says. Where no record has all of the match, it is `joined` from several.
CREATE VIEW matches AS
SELECT
    r.* EXCLUDE (match, person0, person1) REPLACE (
        coalesce(g.player0, r.player0) AS player0,
        coalesce(g.player1, r.player1) AS player1,
        coalesce(nullif(g.event, ''), r.event) AS event,
        coalesce(try_cast(g.date AS DATE), r.date) AS date,
        coalesce(nullif(g.date_from, ''), r.date_from) AS date_from,
        coalesce(nullif(g.place, ''), r.place) AS place,
        coalesce(nullif(g.date, ''), r.date_text) AS date_text
    ),
    person(coalesce(g.player0, r.player0)) AS person0,
    person(coalesce(g.player1, r.player1)) AS person1,
    coalesce(n.records, 1) AS records
FROM stored.every_record r
LEFT JOIN stored.groups g ON g.record = r.record
LEFT JOIN (SELECT match, count(*) AS records FROM stored.groups WHERE NOT joined GROUP BY match) n ON n.match = r.record
WHERE r.match = r.record;

-- One row per player of a match.
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
    date_from,
    date_text,
    place,
    CASE player WHEN 0 THEN score0 ELSE score1 END AS points,
    CASE player WHEN 0 THEN score1 ELSE score0 END AS opponent_points,
    winner = player AS won
FROM matches, (VALUES (0::TINYINT), (1::TINYINT)) seats(player);

-- One row per game.
CREATE VIEW games AS SELECT * FROM stored.games ANTI JOIN stored.others USING (record);

-- One row per entry of a record: a roll with its play, or a cube action.
CREATE VIEW turns AS SELECT * FROM stored.turns ANTI JOIN stored.others USING (record);

-- One row per roll or double: the board before it as the player sees it.
CREATE VIEW positions AS SELECT * FROM stored.positions ANTI JOIN stored.others USING (record);

-- One row per finding of `bgtools check`.
CREATE VIEW findings AS SELECT * FROM stored.findings ANTI JOIN stored.others USING (record);

-- One row per analysis of a record, and whether it is the one that `decisions`, `choices` and `totals` show. `parts` is from how many analyses of the match it was put together, 0 for one by itself.
CREATE VIEW analyses AS
SELECT
    *,
    record = match AND row_number() OVER (
        PARTITION BY match ORDER BY record = match DESC, parts DESC, standing DESC, engine
    ) = 1 AS chosen
FROM (
    SELECT DISTINCT r.match, t.record, t.engine, t.standing, t.parts, t.brought
    FROM stored.totals t JOIN stored.every_record r ON r.record = t.record
);

-- The analysis of each match that was analysed, and what its players are called in the match.
CREATE VIEW stored.chosen AS
SELECT a.record, a.engine, a.parts, a.standing, g.player0, g.player1
FROM analyses a LEFT JOIN stored.groups g ON g.record = a.record
WHERE a.chosen;

-- What `bgtools library confirm` has found, each decision once, whoever rolled it out.
CREATE VIEW stored.rolled AS
FROM stored.rollouts
QUALIFY row_number() OVER (PARTITION BY record, game, entry, kind, valued_by ORDER BY rollout_games DESC, roller) = 1;

-- The rows of a table of decisions that queries see. `given` is the player's name in the match, NULL where the match has one record.
CREATE MACRO stored.shown_decisions(rows_of) AS TABLE
SELECT
    r.record AS match, CASE r.player WHEN 0 THEN a.player0 ELSE a.player1 END AS given,
    r.* REPLACE (
        coalesce(o.verdict, r.verdict) AS verdict,
        coalesce(o.rollout_loss, r.rollout_loss) AS rollout_loss,
        coalesce(o.rollout_error, r.rollout_error) AS rollout_error,
        coalesce(o.rollout_games, r.rollout_games) AS rollout_games
    )
FROM query_table(rows_of) r
JOIN stored.chosen a ON a.record = r.record AND a.engine = r.engine AND a.parts = r.parts
LEFT JOIN stored.rolled o ON o.record = r.record AND o.game = r.game AND o.entry = r.entry AND o.kind = r.kind
    AND o.valued_by = r.valued_by;

-- The rows of a table of choices that queries see.
CREATE MACRO stored.shown_choices(rows_of) AS TABLE
SELECT
    r.record AS match, CASE r.player WHEN 0 THEN a.player0 ELSE a.player1 END AS given,
    r.* REPLACE (
        coalesce(CASE WHEN r.made THEN o.made WHEN r.rank = 1 THEN o.best END, r.rollout) AS rollout,
        coalesce(CASE WHEN r.made THEN o.made_error WHEN r.rank = 1 THEN o.best_error END, r.rollout_error)
            AS rollout_error
    )
FROM query_table(rows_of) r
JOIN stored.chosen a ON a.record = r.record AND a.engine = r.engine AND a.parts = r.parts
LEFT JOIN stored.rolled o ON o.record = r.record AND o.game = r.game AND o.entry = r.entry AND o.kind = r.kind
    AND o.valued_by = r.valued_by;

-- One row per decision of a match that was analysed, with the deepest verdict that any record or analysis of the match has; docs/tables.md describes the figures. `valued_by` says whose verdict it is, `standing` how deep it looked, `analysed` whose record had it; `verdict` and the rollout are those of the record, or of `bgtools library confirm`.
CREATE VIEW decisions AS
SELECT * EXCLUDE (given) REPLACE (coalesce(given, name) AS name) FROM stored.shown_decisions('stored.decisions');

-- One row per position that I have decided on, and others too: who decided how often, how, and what that lost on average. Who I am, me() says; nobody's names do not count.
CREATE VIEW field AS
SELECT
    d.xgid, d.kind,
    count(*) FILTER (p.person = me()) AS by_me,
    count(*) FILTER (p.person <> me()) AS by_others,
    mode(d.played) FILTER (p.person = me()) AS my_play,
    mode(d.played) FILTER (p.person <> me()) AS their_play,
    mode(d.best) AS best,
    avg(d.loss) FILTER (p.person = me()) AS my_loss,
    avg(d.loss) FILTER (p.person <> me()) AS their_loss
FROM decisions d JOIN players p ON p.record = d.record AND p.player = d.player
WHERE NOT is_nobody(p.person)
GROUP BY d.xgid, d.kind
HAVING by_me > 0 AND by_others > 0;

-- One row per choice that an engine valued, with the numbers that `decisions` gives.
CREATE VIEW choices AS SELECT * EXCLUDE (given) FROM stored.shown_choices('stored.choices');

-- One row per player of a match that was analysed, with their figures.
CREATE VIEW totals AS
SELECT
    t.record AS match,
    person(coalesce(CASE t.player WHEN 0 THEN a.player0 ELSE a.player1 END, t.name)) AS person,
    person(coalesce(CASE t.player WHEN 0 THEN a.player1 ELSE a.player0 END, t.opponent)) AS opponent_person,
    t.* REPLACE (
        coalesce(CASE t.player WHEN 0 THEN a.player0 ELSE a.player1 END, t.name) AS name,
        coalesce(CASE t.player WHEN 0 THEN a.player1 ELSE a.player0 END, t.opponent) AS opponent
    )
FROM stored.totals t JOIN stored.chosen a ON a.record = t.record AND a.engine = t.engine AND a.parts = t.parts;
