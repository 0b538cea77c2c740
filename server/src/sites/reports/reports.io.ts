// What visitors report about sites, stored for the operator. A report is no row of the project: nothing that runs for its
// members reads it.

import { query, queryFirst } from '../../foundation/postgres/postgres.io.ts'
import type { SiteReport } from './mails.ts'

export const insertReport = query<never, [id: string, slug: string, host: string, message: string, contact: string]>(
  'insert-site-report',
  `insert into site_reports (id, slug, host, message, contact)
   values ($1, $2, $3, $4, $5)`,
)

export const findReport = queryFirst<SiteReport, [id: string]>(
  'find-site-report',
  `select slug, host, message, contact
   from site_reports
   where id = $1`,
)
