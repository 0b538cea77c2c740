// The parts of both OpenAPI documents that come from the configuration: the addresses
// in `servers` and `info.contact`. Each document is read over HTTP from the real service.

import { describe, expect, test } from 'vitest'
import { exampleInstallation } from '../../../tools/print-contract.ts'
import { BASE_URL, STAGING_URL, startTestService } from '../../../testbed/harness/service.ts'

type Document = { info: { contact: unknown }; servers: { url: string; description: string }[] }

const prefixes = ['/v1', '/platform/v1'] as const

async function documentsOf(env: Record<string, string>): Promise<Record<(typeof prefixes)[number], Document>> {
  const service = await startTestService({ env })
  const [v1, platform] = await Promise.all(
    prefixes.map(async (prefix) => (await service.send({ path: `${prefix}/openapi.json` })).json as Document),
  )
  return { '/v1': v1 as Document, '/platform/v1': platform as Document }
}

const at = (address: string, prefix: string) => address.replace(/\/v1$/, prefix)
const repeated = ({ servers }: Pick<Document, 'servers'>) =>
  servers.map(({ url }) => url).filter((url, index, all) => all.indexOf(url) !== index)

describe('The service is reachable at two base addresses', () => {
  test.each(['production', 'staging'])('and both documents name both, in %s', async (environment) => {
    const documents = await documentsOf({ ENVIRONMENT: environment })
    for (const prefix of prefixes) {
      expect(documents[prefix].servers).toEqual([
        { url: at(BASE_URL, prefix), description: 'Production' },
        { url: at(STAGING_URL, prefix), description: 'Staging' },
      ])
    }
  })

  test.each<[what: string, env: Record<string, string>, address: string]>([
    ['both settings are equal', { STAGING_URL: BASE_URL }, BASE_URL],
    ['only BASE_URL is set', { STAGING_URL: '' }, BASE_URL],
    ['only STAGING_URL is set', { BASE_URL: '', ENVIRONMENT: 'staging' }, STAGING_URL],
  ])('and one that serves as both is listed once: %s', async (_, env, address) => {
    const documents = await documentsOf(env)
    for (const prefix of prefixes) {
      expect(documents[prefix].servers).toEqual([{ url: at(address, prefix), description: 'This installation' }])
      expect(repeated(documents[prefix])).toEqual([])
    }
  })

  test('negative control: a document that lists one address twice is reported', () => {
    const entry = (description: string) => ({ url: BASE_URL, description })
    expect(repeated({ servers: [entry('Production'), entry('Staging')] })).toEqual([BASE_URL])
  })
})

describe('info.contact', () => {
  test('of both documents is the configured one', async () => {
    const documents = await documentsOf({
      CONTACT_NAME: 'Willow Street IT',
      CONTACT_URL: 'https://willow.example/help',
      CONTACT_EMAIL: 'it@willow.example',
    })
    const contact = { name: 'Willow Street IT', url: 'https://willow.example/help', email: 'it@willow.example' }
    for (const prefix of prefixes) expect(documents[prefix].info.contact).toEqual(contact)
    expect(contact).not.toEqual(exampleInstallation('/v1').contact)
  })

  test('names the documentation of this installation, and no email address, where nothing is configured', async () => {
    const documents = await documentsOf({ CONTACT_NAME: '', CONTACT_URL: '', CONTACT_EMAIL: '' })
    const contact = { name: 'Petstore API', url: at(BASE_URL, '/docs') }
    for (const prefix of prefixes) expect(documents[prefix].info.contact).toEqual(contact)
  })
})
