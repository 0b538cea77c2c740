// The sweeper while its workers are killed: it skips no domain, and checks none twice at once. How fast it claims is measured
// in e2e/timing/domains.test.ts.

import { describe, expect, test } from 'vitest'
import { cloneDatabase } from '../testbed/harness/database.ts'
import { measureChaos } from '../testbed/experiments/sweeper/chaos.ts'

// They wait most of the time.
describe.concurrent('While workers are killed', () => {
  test('the sweeper skips no domain and checks none twice at once', async () => {
    const chaos = await measureChaos(await cloneDatabase(), { seconds: 10, domains: 60, isBroken: false })
    const { kills, seconds, looks, cutOff } = chaos
    process.stdout.write(`${kills} workers killed in ${seconds} s: ${looks} looks, ${cutOff} cut off\n`)
    expect(chaos).toMatchObject({ unseen: 0, atOnce: 0 })
    expect(looks).toBeGreaterThan(60)
    expect(kills).toBeGreaterThan(0)
  })

  test('the sweeper skips domains or checks them twice at once if claims have no lease (negative control)', async () => {
    const chaos = await measureChaos(await cloneDatabase(), { seconds: 8, domains: 60, isBroken: true })
    expect(chaos.unseen + chaos.atOnce).toBeGreaterThan(0)
  })
})
