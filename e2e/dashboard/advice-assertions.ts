// Assertions on advice, compared verbatim: the page must show exactly the text of the server,
// and the server must return the text of the table of causes in docs. A page that omits or
// rewords the advice fails. The message of a refusal also comes from the server: a test knows
// only its code.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ErrorBody, RefusalCode } from '@petstore-platform/contract/errors'
import type { Domain } from '@petstore-platform/contract/platform/domain-shapes'
import type { Page, Response } from 'playwright-core'
import { expect } from 'vitest'

const table = readFileSync(join(import.meta.dirname, '../../docs/domain-causes.md'), 'utf8')

/** The text of the table with these values; every value needs a placeholder, and every placeholder a value. */
function documented(code: string, values: Readonly<Record<string, string>>): string {
  const row = table.split('\n').find((line) => line.startsWith(`| \`${code}\` |`))
  const text = row?.split(' | ')[3]
  if (text === undefined) throw new Error(`docs/domain-causes.md has no ${code}`)
  const used = new Set<string>()
  const filled = text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
    used.add(name)
    return values[name] ?? placeholder
  })
  expect([...used].toSorted()).toEqual(Object.keys(values).toSorted())
  return filled
}

/** The text without the markup for strong text and values. */
const plain = (advice: string): string => advice.replaceAll(/\*\*([^*]+)\*\*|`([^`]+)`/g, '$1$2')

/** Waits until the page of a domain shows this cause with exactly this text, and compares it with the server's. */
export async function expectAdvice(
  page: Page,
  code: string,
  values: Readonly<Record<string, string>>,
  timeout = 30_000,
): Promise<void> {
  const words = documented(code, values)
  await page.locator(`[data-cause="${code}"]`).getByText(plain(words), { exact: true }).waitFor({ timeout })
  const { rootCause } = await domainOn(page)
  expect([rootCause?.code, rootCause?.advice]).toEqual([code, words])
}

/** The server's message when it rejects, with this code, the request that `act` causes. */
export async function refused(page: Page, code: RefusalCode, act: () => Promise<void>): Promise<string> {
  const bodyOf = async (response: Response) => (await response.json()) as ErrorBody
  const [response] = await Promise.all([
    page.waitForResponse(async (one) => one.status() >= 400 && (await bodyOf(one)).code === code),
    act(),
  ])
  return (await bodyOf(response)).message
}

/** The domain of this page, as the server returns it. */
async function domainOn(page: Page): Promise<Domain> {
  const { origin, pathname } = new URL(page.url())
  const [, project, hostname] = /^\/projects\/([^/]+)\/settings\/domains\/([^/]+)$/.exec(pathname) ?? []
  const response = await page.request.get(`${origin}/platform/v1/projects/${project}/domains/${hostname}`)
  return (await response.json()) as Domain
}
