-- Document frequency; what an entity can contribute anywhere (ceiling = u · w), and does at most.
select entity, frequency, ceiling, ceiling * relevance as most
from (
  select held.entity,
         count(*) as frequency,
         max(weight) * greatest(ln({whole} / count(*)) / ln({whole}), 0e0) as ceiling,
         max(relevance) as relevance
  from held join entity on entity.entity = held.entity
  group by held.entity
) as one
