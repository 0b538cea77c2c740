// Routes for the draft of a project's site on `/platform/v1`. A change of the settings
// names the version it is based on, so that no member overwrites another member's changes
// unseen; the type of a logo is detected from its bytes alone, and of these only the picture is stored.

import { faultOfMarks } from '@petstore-platform/contract/platform/markdown'
import { QUESTIONS_FAULT, areChoicesGood } from '@petstore-platform/contract/platform/questions'
import * as contract from '@petstore-platform/contract/platform/site'
import type { FastifyInstance } from 'fastify'
import { mount, type OperationResponse } from '../../foundation/http/operation.io.ts'
import type { Db } from '../../foundation/postgres/postgres.io.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { PICTURE_POLICY } from '../../photos/photo-file.ts'
import { pictureOnly } from '../../photos/processing/picture-only.ts'
import type { Platform } from '../../projects/platform.ts'
import { findProject, recordAudit } from '../../projects/project-queries.ts'
import type { ProjectId } from '../../projects/scope.io.ts'
import { refuseFullStore } from '../../projects/stored-usage.io.ts'
import { databaseBlobs } from './blobs.io.ts'
import { faultOfContact } from './contact.ts'
import { draftSettings, settingsJson } from './content.ts'
import { siteJson } from './json.ts'
import { readLogo } from './logo-header.ts'
import * as queries from './site-queries.ts'

export function siteRoutes(app: FastifyInstance, { inProject, within, plans }: Platform): void {
  mount(app, contract.getSite, within, ({ caller: { project } }) => inProject(project, (db) => show(db, project)))

  mount(app, contract.putSite, within, ({ caller: { project, account }, body: { version, ...change } }) =>
    inProject(project, async (db) => {
      const held = await queries.lockSite(db, project)
      if (held.version !== version) throw stale(version, held.version)
      await queries.changeSettings(db, project, settingsJson(changed(draftSettings(held.settings, ''), change)))
      await refuseFullStore(db, project, plans)
      const detail = { version: version + 1 }
      await recordAudit(db, project, { actor: account, action: 'site_changed', subject: 'site', detail })
      return show(db, project)
    }),
  )

  mount(app, contract.getLogo, within, ({ caller: { project } }) =>
    inProject(project, async (db) => {
      const { logo = null } = (await queries.findSite(db, project)) ?? {}
      const blob = logo === null ? undefined : await databaseBlobs.get(db, project, logo)
      if (!blob) throw new Refusal('not_found', 'The draft has no logo.')
      return { ...blob, headers: { 'Content-Security-Policy': PICTURE_POLICY } }
    }),
  )

  mount(app, contract.putLogo, within, async ({ caller: { project, account }, body: { bytes } }) => {
    const image = readLogo(bytes)
    if ('fault' in image) throw new Refusal('invalid_image', image.fault)
    const picture = pictureOnly(bytes, image.type)
    if (!picture) throw new Refusal('invalid_image', 'The file is damaged or incomplete.')
    return inProject(project, async (db) => {
      const held = await queries.lockSite(db, project)
      const digest = await databaseBlobs.put(db, project, picture, image.type)
      if (digest === held.logo) return show(db, project)
      await replaceLogo(db, project, held.logo, digest)
      await refuseFullStore(db, project, plans)
      const detail = { digest, ...image }
      await recordAudit(db, project, { actor: account, action: 'logo_changed', subject: 'site', detail })
      return show(db, project)
    })
  })

  mount(app, contract.deleteLogo, within, ({ caller: { project, account } }) =>
    inProject(project, async (db) => {
      const { logo } = await queries.lockSite(db, project)
      if (logo === null) throw new Refusal('not_found', 'The draft has no logo.')
      await replaceLogo(db, project, logo, null)
      await recordAudit(db, project, {
        actor: account,
        action: 'logo_removed',
        subject: 'site',
        detail: { digest: logo },
      })
      return show(db, project)
    }),
  )
}

type Change = Omit<contract.SiteChange, 'version'>

/** What a change leaves out stays as it is; a language that becomes the main one is no further one. */
function changed(held: contract.SiteSettings, change: Change): contract.SiteSettings {
  const { look = held.look, languages, questions = held.questions, ...rest } = change
  if (languages?.includes(rest.language)) throw new Refusal('invalid_field', contract.LANGUAGES_FAULT)
  if (questions?.every(areChoicesGood) === false) throw new Refusal('invalid_field', QUESTIONS_FAULT)
  const fault = faultOfMarks('about', rest.about) ?? faultOfContact(rest.contact, held.contact)
  if (fault !== undefined) throw new Refusal('invalid_field', fault)
  return { ...rest, look, languages: languages ?? held.languages.filter((one) => one !== rest.language), questions }
}

async function replaceLogo(db: Db, project: ProjectId, old: string | null, next: string | null): Promise<void> {
  await queries.changeLogo(db, project, next)
  if (old !== null) await databaseBlobs.drop(db, project, old)
}

async function show(db: Db, project: ProjectId): Promise<OperationResponse> {
  const [row, owner] = await Promise.all([queries.findSite(db, project), findProject(db, project)])
  if (!owner) throw new Refusal('not_found', 'No project with this slug.')
  const { version = 0, settings = null, logo = null, logoType = null } = row ?? {}
  return {
    json: siteJson({
      version,
      settings: draftSettings(settings, owner.name),
      logo: logo !== null && logoType !== null ? { digest: logo, type: logoType } : null,
    }),
  }
}

const stale = (seen: number, current: number) =>
  new Refusal(
    'stale_version',
    `The draft is at version ${current}, but the request is based on version ${seen}. Fetch it again, then retry.`,
  )
