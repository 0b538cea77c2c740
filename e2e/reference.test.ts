// The API references at /docs and /docs/platform in a real browser: their contents, their
// try-outs, exact 64-bit integers in both directions, and no request to another origin.
//
// The selectors that tools/reference.css hides are Scalar's own, so these tests detect when a
// new version of Scalar changes them. With SCREENSHOTS=docs/images
// screenshots are taken.

import { join } from 'node:path'
import { platformOperations } from '@petstore-platform/contract/platform/operations'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startBrowser } from '../testbed/harness/browser.ts'
import { startDevService, type DevService } from './dev-service.ts'
import { signInAsOwner } from './owner-session.ts'

const ABOVE_DOUBLE = '9007199254740993'
type Init = { method: string; headers: Record<string, string>; body: string; credentials?: 'include' }
const INT64_MAX = '9223372036854775807'

const pictures = process.env['SCREENSHOTS']

let browser: Browser
let context: BrowserContext
let service: DevService
/** One page for all tests: a new one would compile the whole reference again. */
let page: Page
/** Requests to other origins, errors of the page and violations of its policy. */
let complaints: string[]

beforeAll(async () => {
  service = await startDevService()
  browser = await startBrowser()
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  page = await context.newPage()
})

afterAll(async () => {
  await browser?.close()
  await service?.stop()
})

afterEach(async () => {
  page.removeAllListeners()
  await page.goto('about:blank')
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
})

describe('the reference', () => {
  test('shows the groups Store and Pets with their operations', async () => {
    await open('/docs')
    const navigation = page.getByRole('complementary')
    await navigation.getByText('List store orders').waitFor()
    const lines = (await navigation.innerText()).split('\n').map((line) => line.trim())
    const animals = ['List animals', 'Add an animal', 'Fetch one animal']
    const groups = ['Store', 'Orders', 'List store orders', 'Pets', 'Animals', ...animals]
    expect(lines.slice(0, lines.indexOf('Models')).filter((line) => groups.includes(line))).toEqual(groups)
    await picture('overview')
  })

  test('shows getPet as deprecated, with the date of its removal', async () => {
    const operation = await openOperation('animals/getPet')
    expect(await operation.getByText(/^deprecated$/i).isVisible()).toBe(true)
    expect(await operation.getByText('Removed on 5 December 2030', { exact: true }).isVisible()).toBe(true)
    await picture('get-pet')
  })

  test('marks listOrders as experimental, once, and offers no try-out for it', async () => {
    const operation = await openOperation('orders/listOrders')
    expect(
      await operation
        .getByText(/^experimental$/i)
        .filter({ visible: true })
        .count(),
    ).toBe(1)
    expect(await operation.getByRole('button', { name: /test request/i }).count()).toBe(0)
    await picture('list-orders')
  })

  test('sends no listOrders request even if the search opens its try-out', async () => {
    const tryOut = await openTryOut('animals/listPets')
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Search...').fill('store orders')
    await page.getByRole('option', { name: /List store orders/ }).click()
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.url()))
    await tryOut.getByRole('button', { name: /^Send get request to .*\/store\/orders$/ }).click()
    await page.getByText('GET /store/orders has no try-out in this reference.').first().waitFor()
    expect(sent).toEqual([])
    expect(complaints.splice(0)).toEqual([expect.stringContaining('GET /store/orders has no try-out')])
  })

  test('hides the parts of the try-out that round numbers or lead to other operations', async () => {
    const tryOut = await openTryOut('animals/createPet')
    for (const hidden of [
      tryOut.getByText('Form', { exact: true }),
      tryOut.getByText('Code Snippet'),
      tryOut.getByText('Show sidebar'),
      tryOut.locator('aside'),
    ]) {
      expect(await hidden.count()).toBe(1)
      expect(await hidden.isVisible()).toBe(false)
    }
  })

  test.each([ABOVE_DOUBLE, INT64_MAX])('creates an animal of category %s without rounding', async (categoryId) => {
    const tryOut = await openTryOut('animals/createPet')
    await tryOut.getByRole('checkbox', { name: 'Include Idempotency-Key in request' }).uncheck()
    const body = `{"name":"Rex","categoryId":${categoryId}}`
    await replaceText(tryOut.getByRole('region', { name: 'Request Body' }).getByRole('textbox'), body)
    const request = await send(tryOut)
    expect(request.postData()).toBe(body)
    expect(request.headers()['authorization']).toBe(`Bearer ${service.apiKey}`)
    await responseOf(tryOut, '201').getByText(categoryId).waitFor()
  })

  test('lists animals with the entered key, without rounding', async () => {
    const tryOut = await openTryOut('animals/listPets')
    const request = await send(tryOut)
    expect(request.headers()['authorization']).toBe(`Bearer ${service.apiKey}`)
    await responseOf(tryOut, '200').getByText(ABOVE_DOUBLE).first().waitFor()
    await responseOf(tryOut, '200').getByText(INT64_MAX).first().waitFor()
    await picture('try-out')
  })

  test.each([ABOVE_DOUBLE, INT64_MAX])('requests animal %s without rounding', async (petId) => {
    const tryOut = await openTryOut('animals/getPet')
    await setParameter(tryOut, 'petId', petId)
    const request = await send(tryOut)
    expect(request.url()).toBe(`${service.origin}/v1/pets/${petId}`)
  })

  test('takes the key from a link and keeps it only in memory', async () => {
    await open(`/docs#api-key=${service.apiKey}`)
    await page.getByRole('heading', { name: 'Petstore' }).waitFor()
    // The reference may already have added the part of the page that is in view.
    expect([new URL(page.url()).pathname, page.url().includes(service.apiKey)]).toEqual(['/docs', false])
    await page.getByRole('complementary').getByText('List animals').click()
    const operation = page.locator('section[id$="/animals/listPets"]')
    await operation.getByRole('button', { name: /test request/i }).click()
    const request = await send(page.getByRole('dialog', { name: 'API Client' }))
    expect(request.headers()['authorization']).toBe(`Bearer ${service.apiKey}`)

    const kept = () => JSON.stringify([location.href, history.state, localStorage, sessionStorage])
    expect(await page.evaluate(kept)).not.toContain(service.apiKey)
    await page.goto(`${service.origin}/docs/deprecations`)
    await page.goBack()
    await page.getByRole('heading', { name: 'Petstore' }).waitFor()
    expect(await page.evaluate(kept)).not.toContain(service.apiKey)
  })

  test('follows the dark mode of the system', async () => {
    await open('/docs', 'dark')
    await page.getByRole('heading', { name: 'Petstore' }).waitFor()
    expect(await page.locator('body').getAttribute('class')).toContain('dark-mode')
  })
})

describe('the reference of /platform/v1', () => {
  const platform = () => page.getByRole('heading', { name: 'Petstore platform' })

  test('is one click from /docs, shows its operations, and links back', async () => {
    await open('/docs')
    const references = page.getByRole('navigation', { name: 'API references' })
    await references.getByRole('link', { name: 'Platform API' }).click()
    await platform().waitFor()
    expect(new URL(page.url()).pathname).toBe('/docs/platform')
    const navigation = page.getByRole('complementary')
    // The groups of the navigation are rendered one after the other.
    const missing = async () => {
      const lines = (await navigation.innerText()).split('\n').map((line) => line.trim())
      return platformOperations.map(({ summary }) => summary).filter((summary) => !lines.includes(summary))
    }
    await expect.poll(missing, { timeout: 30_000 }).toEqual([])
    await picture('platform')
    expect(await references.locator('[aria-current=page]').innerText()).toContain('/platform/v1')
    await references.getByRole('link', { name: 'Petstore API' }).click()
    await page.getByRole('heading', { name: 'Petstore', exact: true }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/docs')
  })

  test('opens an operation by its link', async () => {
    await open('/docs/platform#tag/account/getAccount')
    await page.locator('section[id$="/account/getAccount"]').getByRole('heading', { level: 3 }).waitFor()
  })

  test('tries out an operation with the entered token, and never with the session cookie', async () => {
    const { cookie, token } = await signInAsOwner(service)
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([
      { name, value, domain: '127.0.0.1', path: '/', secure: true, httpOnly: true, sameSite: 'Lax' },
    ])
    try {
      await open('/docs/platform#tag/account/getAccount')
      // Negative control: any other request of this page would be authenticated by the session.
      expect(await page.evaluate(async () => (await fetch('/platform/v1/account')).status)).toBe(200)
      const operation = page.locator('section[id$="/account/getAccount"]')
      await operation.getByRole('button', { name: /test request/i }).click()
      const tryOut = page.getByRole('dialog', { name: 'API Client' })
      const sent = await send(tryOut, '/platform/v1/account')
      expect((await sent.allHeaders())['cookie']).toBeUndefined()
      await responseOf(tryOut, '401').waitFor()

      await tryOut.getByPlaceholder('Token').fill(token)
      const again = await send(tryOut, '/platform/v1/account')
      expect(await again.allHeaders()).toMatchObject({ authorization: `Bearer ${token}` })
      expect((await again.allHeaders())['cookie']).toBeUndefined()
      await responseOf(tryOut, '200').waitFor()
      await picture('platform-try-out')
    } finally {
      await context.clearCookies()
    }
  })

  test('a page of another origin may send a token, and no cookie', async () => {
    const { token } = await signInAsOwner(service)
    // The same service under another name is another origin, and its page may request the address in the OpenAPI document.
    await open('/docs', 'light', service.origin.replace('127.0.0.1', 'localhost'))
    const request = (init: Init) =>
      page.evaluate(
        ([url, options]) =>
          fetch(url, options).then(
            async (response) => `${response.status} ${((await response.json()) as { code?: string }).code ?? ''}`,
            (error: unknown) => String(error),
          ),
        [`${service.origin}/platform/v1/account`, init] as const,
      )
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const rename = { method: 'PATCH', headers, body: '{"name":"Renamed from elsewhere"}' }
    expect(await request(rename)).toBe('200 ')
    expect(complaints).toEqual([])
    expect(await request({ ...rename, credentials: 'include' })).toContain('Failed to fetch')
    expect(complaints.splice(0)).toContainEqual(expect.stringContaining('CORS policy'))
  })
})

describe('the deprecation pages', () => {
  test('need no script and link to the operation in the reference', async () => {
    await open('/docs/deprecations')
    await page.getByRole('link', { name: 'GET /pets/{petId}' }).click()
    await page.getByRole('heading', { name: 'Deprecation of getPet' }).waitFor()
    expect(await page.locator('script').count()).toBe(0)
    await picture('deprecation')
    await page.getByRole('link', { name: 'getPet in the reference' }).click()
    await page.getByRole('heading', { name: 'Fetch one animal' }).waitFor()
  })
})

async function open(path: string, colorScheme: 'light' | 'dark' = 'light', origin = service.origin): Promise<void> {
  await page.emulateMedia({ colorScheme })
  page.setDefaultTimeout(30_000)
  complaints = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    // Chromium logs error responses of the API as errors; they are expected responses here.
    const isApiResponse = /^\/(platform\/)?v1\//.test(message.location().url.replace(origin, ''))
    if (message.type() === 'error' && !isApiResponse) complaints.push(message.text())
  })
  page.on('request', (request) => {
    const isOwn = [origin, service.origin].includes(new URL(request.url()).origin)
    if (!/^(data|blob):/.test(request.url()) && !isOwn) complaints.push(request.url())
  })
  await page.goto(origin + path)
}

/** Opens an operation by its link, so each use also tests the links. */
async function openOperation(link: string): Promise<Locator> {
  await open(`/docs#tag/${link}`)
  const operation = page.locator(`section[id$="/${link}"]`)
  await operation.getByRole('heading', { level: 3 }).waitFor()
  return operation
}

async function openTryOut(link: string): Promise<Locator> {
  const operation = await openOperation(link)
  await operation.getByRole('button', { name: /test request/i }).click()
  const tryOut = page.getByRole('dialog', { name: 'API Client' })
  await tryOut.getByPlaceholder('Token').fill(service.apiKey)
  return tryOut
}

/** A parameter with examples is a menu that accepts a custom value; any other is a text field. */
async function setParameter(tryOut: Locator, name: string, value: string): Promise<void> {
  const row = tryOut.getByRole('row', { name: `Include ${name} in request` })
  const field = row.getByRole('combobox', { name: 'Value' })
  if (await field.count()) return replaceText(field, value)
  await row.getByRole('button').first().click()
  await row.getByRole('menuitem', { name: 'Add value' }).click()
  await page.keyboard.insertText(value)
  await page.keyboard.press('Enter')
}

async function replaceText(editor: Locator, text: string): Promise<void> {
  await editor.click()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(text)
}

async function send(tryOut: Locator, path = '/v1/pets') {
  const request = page.waitForRequest((candidate) => candidate.url().startsWith(`${service.origin}${path}`))
  await tryOut.getByRole('button', { name: /^Send (get|post) request to/ }).click()
  return request
}

function responseOf(tryOut: Locator, status: string): Locator {
  return tryOut.getByRole('region', { name: 'Response' }).filter({ hasText: status })
}

async function picture(name: string): Promise<void> {
  if (pictures === undefined) return
  await page.waitForTimeout(500) // for animations and scrolling
  await page.screenshot({ path: join(pictures, `reference-${name}.png`), animations: 'disabled', caret: 'hide' })
}
