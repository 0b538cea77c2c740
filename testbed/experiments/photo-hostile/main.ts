// Hostile pictures, through the header and the process that decodes.

import { readFlags } from '../flags.ts'
import { conclude } from '../outcome.ts'
import { runHostileImages } from './run.ts'

const flags = readFlags('photo-hostile')
const figures = await runHostileImages({
  count: Number(flags.images),
  seed: Number(flags.seed),
  ...(flags.unlimited && {
    limits: { resident: Infinity, milliseconds: 600_000, pixels: 2 ** 31 },
    isHeaderIgnored: true,
  }),
  onSeen: ({ name, header, result, ms, peakMb }) => {
    if (flags.verbose) process.stderr.write(`${name}: ${header ?? 'taken'} | ${result} | ${ms} ms, ${peakMb} MB\n`)
  },
})
conclude(flags, figures, ...figures.findings)
