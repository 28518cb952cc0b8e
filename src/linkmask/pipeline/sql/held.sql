-- An entity once in each document, with the largest relevance of its mentions.
select document, entity, max(least(greatest(relevance, 0e0), 1e0)) as relevance
from mention
group by document, entity
