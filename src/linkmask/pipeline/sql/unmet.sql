-- Chains above their target under the mask.
select chain, z, low_risk, up_risk, now, target
from (
  select link.chain, link.z, low_risk, up_risk, {hop:link.z} as now, target
  from (select chain, cast(sum(z) as bigint) as z from open_via group by chain) as link
  join chain on chain.chain = link.chain
  join (select document, risk as low_risk from risk) as one on one.document = low
  join (select document, risk as up_risk from risk) as two on two.document = up
) as link
where now > target + {slack}
