// Debian's Chromium without its own windows, which take a third of the CPU time, with the same flags for every
// browser test.

import { chromium, type Browser } from 'playwright-core'

type More = { args?: readonly string[]; env?: Record<string, string> }

export const startBrowser = ({ args = [], env }: More = {}): Promise<Browser> =>
  chromium.launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    ...(env && { env }),
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...args,
    ],
  })
