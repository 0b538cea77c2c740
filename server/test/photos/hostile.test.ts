// The experiment photo-hostile at a size for CI, and its negative controls. How quickly a process is killed is measured
// by the experiment alone: here the machine is busy.

import sharp from 'sharp'
import { expect, test } from 'vitest'
import { runHostileImages } from '../../../testbed/experiments/photo-hostile/run.ts'
import { flatPng } from '../../../testbed/photos/containers.ts'

/** Each kind once; those that take seconds are left to the experiment. */
const isQuick = (name: string) => !/50 megapixels|scans|GB/.test(name)
const isAboutTime = (finding: string) => /took|MB for|grow/.test(finding)

test('66 hostile pictures crash nothing, and none is accepted wrongly', async () => {
  const figures = await runHostileImages({ count: 75, seed: 20_260, only: isQuick })
  expect(figures.images).toBe(66)
  expect(figures.findings.filter((finding) => !isAboutTime(finding))).toEqual([])
})

test('what the header should have rejected is found when it is accepted (negative control)', async () => {
  const names = ['animated png', 'png with a page behind it']
  const only = (name: string) => names.includes(name)
  const { findings } = await runHostileImages({ count: 75, seed: 1, isHeaderIgnored: true, only })
  expect(findings).toEqual(names.map((name) => `${name}: was accepted`))
})

test('in the worker itself, a picture would take the memory of the worker (negative control)', async () => {
  const before = process.memoryUsage.rss()
  let largest = before
  const watch = setInterval(() => (largest = Math.max(largest, process.memoryUsage.rss())), 5)
  await sharp(flatPng({ width: 4500, height: 4500, depth: 16, isInterlaced: true }))
    .resize(300)
    .toBuffer()
  clearInterval(watch)
  expect(largest - before).toBeGreaterThan(100 * 2 ** 20)
})
