// Reads the facts of the mail with which a visitor confirms a request, when it is sent.

import { readAddress } from '../foundation/smtp/address.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import type { Compose } from '../mail/mail-kind.ts'
import type { MessageCodes } from '../mail/message-codes.io.ts'
import type { ProjectMailContext } from '../projects/member-mails.io.ts'
import type { PlanRules } from '../projects/plan-rules.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import { languages, type Language } from '@petstore-platform/contract/platform/site'
import { findConfirmation } from './confirmation-queries.ts'
import { confirmationText, statusSecret } from './confirmation.io.ts'
import { hasVerifiedOwner } from './visitor-mails.io.ts'
import { confirmationMail } from './confirmation-mail.ts'
import { senderOf, type StoreSite } from './mails.ts'
import { findPetNames, type OrderRow } from './order-queries.ts'

/** The published site of a project; undefined if there is none. */
export type SiteOf = (db: Db, project: ProjectId) => Promise<StoreSite | undefined>

/** The address of a page of a request, under the address that the site has now; undefined if it is not published. */
export type OrderUrlOf = (
  db: Db,
  project: ProjectId,
  page: { kind: 'confirmation' | 'status'; secret: string; language: Language },
) => Promise<string | undefined>

/** What mails about requests are composed with. */
export type OrderMailContext = ProjectMailContext & {
  plans: PlanRules
  siteOf: SiteOf
  orderUrlOf: OrderUrlOf
  codes: Pick<MessageCodes, 'codeOf'>
}

/** The address of the status page of a request, which only a confirmed one has. */
export async function statusUrlOf(
  { orderUrlOf, codes }: Pick<OrderMailContext, 'orderUrlOf' | 'codes'>,
  db: Db,
  project: ProjectId,
  order: OrderRow,
): Promise<string | undefined> {
  const language = languages.find((one) => one === order.language)
  if (order.confirmedAt === null || language === undefined) return undefined
  const secret = await statusSecret({ codes }, project, order.id)
  return orderUrlOf(db, project, { kind: 'status', secret, language })
}

export const confirmation =
  ({ run, inProject, siteOf, orderUrlOf, codes }: OrderMailContext): Compose =>
  async ({ project, recipient }) => {
    const id = project as ProjectId
    const secret = await codes.codeOf(confirmationText(id, recipient))
    const found = await inProject(id, async (db) => {
      const request = await findConfirmation(db, id, recipient)
      const site = await siteOf(db, id)
      if (!request || request.orderId !== null || !site) return undefined
      const { petId, contact, language } = request
      const animal = (await findPetNames(db, id, [petId])).get(petId)
      const url = await orderUrlOf(db, id, { kind: 'confirmation', secret, language })
      return url === undefined ? undefined : { contact, language, animal, site, url }
    })
    if (!found) return { because: 'confirmed, expired or unpublished' }
    const { contact, animal, site, ...facts } = found
    const to = readAddress(contact)
    if (to === undefined || animal === undefined) return { because: 'no email address, or no animal' }
    if (!(await hasVerifiedOwner(run, inProject, id))) return { because: 'no verified owner' }
    return { to, ...senderOf(site), mail: confirmationMail({ ...facts, store: site.title, animal }) }
  }
