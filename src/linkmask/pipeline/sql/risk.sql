-- Risk of each document that holds something readable: noisy-or of the shares.
select document, 1e0 - exp(-cast(sum({z:share}) as double) / {unit}) as risk
from {pieces}
group by document
