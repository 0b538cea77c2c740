// The pages of the platform itself: their style is inside them, and the policy allows exactly that.

import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { noticePage, notices, noticeStyleHash } from './platform-pages.ts'

const styleOf = (page: string) => /<style>([^]*?)<\/style>/.exec(page)?.[1] ?? ''
const hashOf = (text: string) => `sha256-${hash('sha256', text, 'base64')}`

test.each(Object.entries(notices))('%s has the style whose hash the policy names, and loads nothing', (_, notice) => {
  const page = noticePage(notice).text
  expect(hashOf(styleOf(page))).toBe(noticeStyleHash)
  expect(page).not.toMatch(/\b(src|href|style)=|url\(|@import/)
  expect(page).toContain(`<h1>${notice.title}</h1>`)
})

test('another style has another hash (negative control)', () => {
  expect(hashOf(`${styleOf(noticePage(notices.failed).text)} `)).not.toBe(noticeStyleHash)
})
