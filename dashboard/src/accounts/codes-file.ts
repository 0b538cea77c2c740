// Recovery codes as a text file, with what a person needs in order to use one years later.

import { account } from '../texts/en/account.ts'

const { codes: words } = account

type CodesFile = {
  codes: readonly string[]
  email: string
  /** Where a code can be used. */
  page: string
  /** Today, in words. */
  date: string
}

/** Lines end as on Windows, which every system can read. */
export const codesFile = ({ codes, email, page, date }: CodesFile): string =>
  [words.file.title, words.file.created(date), '', ...codes, '', words.use(email, page), ''].join('\r\n')
