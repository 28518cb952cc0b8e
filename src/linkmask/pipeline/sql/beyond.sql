-- Links of which each document says what the other one does not.
select low, up, z
from {links} as one
where not exists (
  select 1 from contained where contained.low = one.low and contained.up = one.up
)
