// Queries for requests that a visitor has not confirmed yet, and for the open requests of a visitor, inside one project.

import type { Language } from '@petstore-platform/contract/platform/site'
import { statement, query, queryFirst, type Db } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import type { AskedAnswer } from './questions.ts'

export type NewConfirmation = {
  id: string
  /** Of the secret in the mailed link. */
  digest: Buffer
  petId: bigint
  name: string
  contact: string
  phone?: string | undefined
  message: string
  answers: readonly AskedAnswer[]
  language: Language
}

const insertRow = statement<
  never,
  [
    project: ProjectId,
    id: string,
    digest: Buffer,
    petId: bigint,
    name: string,
    contact: string,
    message: string,
    answers: string,
    language: Language,
    seconds: number,
    phone: string,
  ]
>(
  'insert-request-confirmation',
  `insert into request_confirmations (project_id, id, digest, pet_id, visitor_name, visitor_contact, message, answers,
     language, expires_at, visitor_phone)
   values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9, now() + make_interval(secs => $10), $11)`,
)

export const insertConfirmation = (db: Db, project: ProjectId, input: NewConfirmation, seconds: number) => {
  const { id, digest, petId, name, contact, phone = '', message, answers, language } = input
  const written = JSON.stringify(answers)
  return db(insertRow, project, id, digest, petId, name, contact, message, written, language, seconds, phone)
}

/** Until the transaction ends, no other request of the project is stored or confirmed: the caps are exact. */
export const lockRequests = query<{ locked: unknown }, [project: ProjectId]>(
  'lock-requests',
  `select pg_advisory_xact_lock(hashtextextended('requests', $1)) as locked`,
)

/** `orderId` is null until the visitor has confirmed; then the rest is empty. */
export type Confirmation = Omit<NewConfirmation, 'digest'> & { orderId: bigint | null }

const columns = `id, pet_id as "petId", visitor_name as name, visitor_contact as contact, visitor_phone as phone, message, answers, language,
     order_id as "orderId"`

export const findConfirmation = queryFirst<Confirmation, [project: ProjectId, id: string]>(
  'find-request-confirmation',
  `select ${columns}
   from request_confirmations
   where project_id = $1 and id = $2 and expires_at > now()`,
)

export const findByLink = queryFirst<Confirmation, [project: ProjectId, digest: Buffer]>(
  'find-request-confirmation-by-digest',
  `select ${columns}
   from request_confirmations
   where project_id = $1 and digest = $2 and expires_at > now()`,
)

/** What the visitor entered is in the order now; the link leads there until it expires. */
export const endConfirmation = query<never, [project: ProjectId, id: string, orderId: bigint]>(
  'end-request-confirmation',
  `update request_confirmations
   set order_id = $3, visitor_name = '', visitor_contact = '', visitor_phone = '', message = '', answers = '[]'
   where project_id = $1 and id = $2`,
)

export const deleteConfirmation = query<never, [project: ProjectId, id: string]>(
  'delete-request-confirmation',
  `delete from request_confirmations
   where project_id = $1 and id = $2`,
)

/** Of the secret in the address of the visitor's status page. */
export const setStatusDigest = query<never, [project: ProjectId, orderId: bigint, digest: Buffer]>(
  'set-order-secret',
  `update orders
   set secret_digest = $3
   where project_id = $1 and id = $2`,
)

/** Those that wait for their visitors. */
export const countConfirmations = query<
  { ofProject: number; ofContact: number },
  [project: ProjectId, contact: string],
  { ofProject: number; ofContact: number }
>(
  'count-request-confirmations',
  `select count(*)::int as "ofProject",
     (count(*) filter (where lower(visitor_contact collate "pg_c_utf8") = lower($2::text collate "pg_c_utf8")))::int
       as "ofContact"
   from request_confirmations
   where project_id = $1 and order_id is null and expires_at > now()`,
  ([row]) => row ?? { ofProject: 0, ofContact: 0 },
)

export const countOpenOf = query<
  { ofAnimal: number; ofContact: number },
  [project: ProjectId, contact: string, petId: bigint],
  { ofAnimal: number; ofContact: number }
>(
  'count-open-orders-of-contact',
  `select (count(*) filter (where pet_id = $3))::int as "ofAnimal", count(*)::int as "ofContact"
   from orders
   where project_id = $1 and status in ('placed', 'approved')
     and lower(visitor_contact collate "pg_c_utf8") = lower($2::text collate "pg_c_utf8")`,
  ([row]) => row ?? { ofAnimal: 0, ofContact: 0 },
)
