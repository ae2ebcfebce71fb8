-- What the decisions of each phase, kind and theme lost, for each player of each match: a player is compared with the
-- field by these sums.

CREATE TABLE careers.units AS
WITH counted AS MATERIALIZED (
    SELECT match, seat, person, kind, phase, themes, lost FROM careers.judged WHERE lost IS NOT NULL
), sorted AS (
    SELECT 'phase' AS dimension, phase AS value, match, seat, person, lost FROM counted
    UNION ALL
    SELECT 'decision', kind, match, seat, person, lost FROM counted
    UNION ALL
    SELECT 'theme', unnest(string_split(themes, ', ')), match, seat, person, lost FROM counted
)
SELECT dimension, value, match, seat, person, sum(lost) AS lost, sum(lost * lost) AS squares, count(*) AS decisions
FROM sorted
WHERE value <> ''
GROUP BY ALL;
