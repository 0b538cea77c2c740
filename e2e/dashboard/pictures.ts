// Pictures for tests, as a camera would make them: a portrait on a coloured ground, drawn by the browser.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { vi } from 'vitest'
import type { BrowserOwner } from './browser-environment.ts'

const portraits = join(import.meta.dirname, '../../server/assets/portraits')

export type PictureFile = { name: string; mimeType: string; buffer: Buffer }

const grounds = ['#cfe3c0', '#f2d5d0', '#cbe2ef', '#f3e0b4', '#dcd7ee']

/** JPEG files of different animals, of different shapes. */
export async function takePictures(browser: Browser, names: readonly string[]): Promise<PictureFile[]> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const files: PictureFile[] = []
  for (const [index, name] of names.entries()) {
    const [width, height] = index % 2 === 0 ? [640, 480] : [480, 600]
    await page.setViewportSize({ width, height })
    const drawing = readFileSync(join(portraits, `${name}.svg`)).toString('base64')
    const ground = grounds[index % grounds.length]
    await page.setContent(
      `<body style="margin:0;background:${ground};display:grid;place-items:end center;height:100vh">` +
        `<img src="data:image/svg+xml;base64,${drawing}" style="height:90vh">`,
    )
    await page.waitForFunction(() => document.images[0]?.complete)
    files.push({
      name: `${name}.jpg`,
      mimeType: 'image/jpeg',
      buffer: await page.screenshot({ type: 'jpeg', quality: 85 }),
    })
  }
  await context.close()
  return files
}

/** Adds photos to an animal, and waits until they are ready. */
export async function addPictures(
  { ask, slug }: BrowserOwner,
  animal: bigint,
  files: readonly PictureFile[],
): Promise<void> {
  const api = `/projects/${slug}/animals/${animal}`
  for (const { buffer, mimeType } of files)
    await ask('POST', `${api}/photos`, new Blob([new Uint8Array(buffer)], { type: mimeType }))
  await vi.waitFor(
    async () => {
      const { photos } = (await ask('GET', api)) as { photos: { state: string }[] }
      if (photos.some(({ state }) => state !== 'ready')) throw new Error(JSON.stringify(photos))
    },
    { timeout: 120_000 },
  )
}
