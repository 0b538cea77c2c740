// The addresses of the pages of a request, for mails: under the address that the site has when the mail is sent, in the
// language in which the visitor asked.

import type { Config } from './config.ts'
import { currentContent } from '../sites/publishing/deployment-queries.ts'
import { siteOrigin } from '../domains/store/settings-queries.ts'
import type { OrderUrlOf } from '../orders/confirmation-mail.io.ts'
import { defaultOriginsOf } from './platform-names.ts'
import { findProject } from '../projects/project-queries.ts'
import { hrefIn, languagesOf } from '../sites/strings/languages.ts'

export type OrderUrlConfig = Pick<Config, 'platformNames' | 'platformHost' | 'siteScheme'>

export function orderUrls(config: OrderUrlConfig): OrderUrlOf {
  const originOf = defaultOriginsOf(config)
  return async (db, project, { language, ...address }) => {
    const found = await findProject(db, project)
    const current = await currentContent(db, project)
    if (!found || !current) return undefined
    const { settings } = current.content
    // The owner may have removed the language since.
    const spoken = languagesOf(settings).includes(language) ? language : settings.language
    return `${await siteOrigin(db, project, await originOf(db, found.slug))}${hrefIn(settings, spoken, address)}`
  }
}
