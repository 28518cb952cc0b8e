-- What masking an entity takes off an unmet chain, in units of what the chain must lose.
select chain, place, z,
       cast(round(least((now - without) / (now - target), 1e0) * {help}) as bigint) as help
from (
  select unmet.chain, place, via.z, now, target, {hop:unmet.z - via.z} as without
  from unmet
  join open_via as via on via.chain = unmet.chain
) as one
