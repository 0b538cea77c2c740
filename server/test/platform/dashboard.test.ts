// The dashboard next to everything else that the server serves: it has its own addresses,
// and changes no other response.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseConfig } from '../../src/program/config.ts'
import { startService, type Service } from '../../src/program/serve.ts'
import { expectRefusal } from '../v1/responses.ts'
import { cloneDatabase } from '../../../testbed/harness/database.ts'
import { exchange, type RawRequest } from '../../../testbed/harness/http.ts'
import { scriptedDns } from '../../../testbed/harness/scripted-dns.ts'

const html = '<!doctype html><title>Petstore</title>'
const logs: string[] = []
let folder: string
let service: Service
const send = (sent: RawRequest) => exchange(`http://127.0.0.1:${service.port}`, sent)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-dashboard-'))
  await writeFile(join(folder, 'index.html'), html)
  const { appUrl } = await cloneDatabase()
  const config = parseConfig({
    BASE_URL: 'https://api.petstore.example/v1',
    DASHBOARD_ORIGIN: 'https://app.petstore.example',
    PORT: '0',
    DATABASE_URL: appUrl,
  })
  const logger = { level: 'info', stream: { write: (line: string) => void logs.push(line) } }
  service = await startService(config, { logger, observe: scriptedDns().observe, dashboardAssets: folder })
})

afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true })
})

describe('the page of the dashboard', () => {
  test.each(['/', '/sign-in', '/invitations', '/unsubscribe/a-token', '/projects', '/projects/north/domains'])(
    'is at %s, and a browser returns over TLS only',
    async (path) => {
      const { status, text, headers } = await send({ path })
      expect([status, text]).toEqual([200, html])
      expect(headers['strict-transport-security']).toMatch(/^max-age=31536000/)
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
      expect(headers['set-cookie']).toBeUndefined()
    },
  )

  test('is logged without the secret that its address may have', async () => {
    await send({ path: '/dns/hidden-in-the-address' })
    await expect.poll(() => logs.filter((line) => line.includes('/dns/:secret'))).not.toEqual([])
    expect(logs.join('')).not.toContain('hidden-in-the-address')
  })
})

describe('next to the dashboard', () => {
  test.each([
    ['GET', '/nowhere'],
    ['GET', '/assets/missing.js'],
    ['GET', '*'],
    ['GET', 'http://elsewhere.example'],
    ['GET', 'http://elsewhere.example/sign-in'],
    ['GET', '/assets/'],
    ['GET', '/assets/..'],
    ['GET', '/assets/%2e%2e'],
    ['GET', '/assets/../index.html'],
    ['GET', '/assets/..%2findex.html'],
    ['GET', '/sign-in/more'],
    ['GET', '/invitations/more'],
    ['GET', '/account/sessions'],
    ['GET', '/projects/%zz'],
    ['GET', '/health/more'],
    ['GET', '/platform'],
    ['POST', '/sign-in'],
    ['POST', '/'],
    ['DELETE', '/projects/north'],
    ['OPTIONS', '/projects'],
  ])('%s %s is 404 with the one Error body', async (method, path) => {
    expectRefusal(await send({ method, path }), 404, 'not_found', 'The requested resource could not be found.')
  })

  test('/v1 and /platform/v1 authenticate before they reveal what exists', async () => {
    expectRefusal(await send({ path: '/v1/projects' }), 401, 'missing_api_key')
    expectRefusal(await send({ path: '/platform/v1/projects' }), 401, 'not_signed_in')
  })

  test('the OpenAPI documents and the API reference are where they were', async () => {
    for (const path of ['/v1/openapi.json', '/platform/v1/openapi.json', '/docs/deprecations'])
      expect((await send({ path })).status).toBe(200)
  })
})
