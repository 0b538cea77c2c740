// Screenshots for people to look at before a release: with forced colours, printed, and with reduced motion. Stored
// only with SHOTS=<folder> MEDIA=1.

import type { Page } from 'playwright-core'

const media = [
  ['forced', { forcedColors: 'active' }],
  ['forced-dark', { forcedColors: 'active', colorScheme: 'dark' }],
  ['print', { media: 'print' }],
  ['print-dark', { media: 'print', colorScheme: 'dark' }],
  ['still', { reducedMotion: 'reduce' }],
] as const

const usual = { media: null, colorScheme: 'light', forcedColors: null, reducedMotion: null } as const

export async function storeMediaShots(page: Page, name: string): Promise<void> {
  const folder = process.env['SHOTS']
  if (!folder || !process.env['MEDIA']) return
  for (const [medium, emulated] of media) {
    await page.emulateMedia({ ...usual, ...emulated })
    await page.screenshot({ path: `${folder}/${name}-${medium}.png`, fullPage: true })
    // Names what would go on moving; a person decides whether it may.
    const moving = await page.evaluate(() => document.getAnimations().map(String))
    if (medium === 'still' && moving.length > 0) process.stdout.write(`${name} moves: ${moving.join(', ')}\n`)
  }
  await page.emulateMedia(usual)
}
