-- Links above policy, and what each may keep of its risk (HIGH, MEDIUM, any other above θ).
select low * {high} + up as chain, low, up, before,
       case when before >= {high_from} then least({theta}, {rho_high} * before)
            when before >= {medium_from} then least({theta}, {rho_medium} * before)
            else {theta} end as target
from (
  select low, up, {hop:z} as before
  from {links}
  join (select document, risk as low_risk from risk) as one on one.document = low
  join (select document, risk as up_risk from risk) as two on two.document = up
) as link
where before >= {medium_from} or before > {theta} + {slack}
