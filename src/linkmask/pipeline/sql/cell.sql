-- The same pieces by one key, document and entity, for looking one up.
select document * {high} + place % {high} as cell, z from tail
