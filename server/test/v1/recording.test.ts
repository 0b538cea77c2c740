// `/v1` does not change by one byte: a recorded conversation is repeated, and every status, header and body is the one
// of the recording. `V1_RECORDING=<file>` writes a longer one (`V1_REQUESTS`), to compare two versions of the server:
//
//   V1_RECORDING=/tmp/new.txt V1_REQUESTS=10000 npx vitest run --project slice server/test/v1/recording.test.ts

import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startTestService } from '../../../testbed/harness/service.ts'
import { lineOf, record } from './recorded-requests.ts'

const IN_CI = 1000
const { V1_RECORDING: file, V1_REQUESTS: wanted = IN_CI } = process.env
const service = await startTestService({ now: () => Date.parse('2026-11-17T12:00:00Z') })

test('a recorded conversation gets the recorded responses', { timeout: 600_000 }, async () => {
  const lines = await record(service, Number(wanted))
  if (file !== undefined) writeFileSync(file, `${lines.join('\n')}\n`)
  await expect(`${lines.slice(0, IN_CI).join('\n')}\n`).toMatchFileSnapshot('recording.txt')
})

test('one more field, or one more header, is another response', () => {
  const received = { status: 200, rawHeaders: ['ETag', 'W/"x"'], text: '[{"id":1,"name":"Rex"}]' }
  const line = (changed: Partial<typeof received>) => lineOf({ path: '/v1/pets' }, { ...received, ...changed })
  expect(line({ text: '[{"id":1,"name":"Rex","breed":""}]' })).not.toBe(line({}))
  expect(line({ rawHeaders: ['ETag', 'W/"x"', 'X-New', '1'] })).not.toBe(line({}))
  expect(line({ rawHeaders: ['Date', 'now', 'ETag', 'W/"x"'] })).toBe(line({}))
})
