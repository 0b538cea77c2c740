// Announcements of new addresses of the edges, inside one project: SQL.

import { statement, query, type Db } from '../../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../../projects/scope.io.ts'
import type { Judgement } from '../judging/judgement.ts'
import type { AddressDomain } from './addresses.ts'

/** Domains that reached us by address when they were last checked. An ALIAS record looks the same from outside. */
export const listAddressDomains = query<{ hostname: string; judgement: string }, [project: ProjectId], AddressDomain[]>(
  'list-address-domains',
  `select domains.hostname, domain_looks.judgement
   from domains
   join domain_looks on domain_looks.project_id = $1 and domain_looks.domain_id = domains.id
   where domains.project_id = $1 and domains.removed_at is null and domains.ownership = 'proven'
     and domain_looks.judgement::jsonb ->> 'how' = 'address'
   order by domains.hostname`,
  (rows) => rows.map(({ hostname, judgement }) => ({ hostname, judgement: JSON.parse(judgement) as Judgement })),
)

const insertAnnouncementRow = statement<
  { id: string },
  [project: ProjectId, id: string, addresses: readonly string[], startsOn: string]
>(
  'insert-address-announcement',
  `insert into address_announcements (project_id, id, addresses, starts_on)
   values ($1, $2, $3, $4::date)
   on conflict (project_id, addresses, starts_on) do nothing
   returning id`,
)

/** False if the project was told of the same addresses and the same day before. `startsOn` is written YYYY-MM-DD. */
export const insertAnnouncement = async (
  db: Db,
  project: ProjectId,
  { id, addresses, startsOn }: { id: string; addresses: readonly string[]; startsOn: string },
): Promise<boolean> => (await db(insertAnnouncementRow, project, id, addresses, startsOn)).length > 0

const findAnnouncementRow = statement<{ addresses: string[]; startsOn: string }, [project: ProjectId, id: string]>(
  'find-address-announcement',
  `select addresses, to_char(starts_on, 'YYYY-MM-DD') as "startsOn"
   from address_announcements
   where project_id = $1 and id = $2`,
)

export const findAnnouncement = async (db: Db, project: ProjectId, id: string) => {
  const [row] = await db(findAnnouncementRow, project, id)
  return row && { addresses: row.addresses, startsOn: new Date(`${row.startsOn}T00:00:00Z`) }
}
