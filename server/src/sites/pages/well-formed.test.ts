// The checker for well-formed markup, on which other tests rely, detects every fault.

import { expect, test } from 'vitest'
import { elementsOf, faultsOfHtml } from './well-formed.ts'

test.each([
  '<!doctype html><html lang="en"><head><meta charset="utf-8"></head><body><p id="a">x &amp; y</p></body></html>',
  '<input required name="a"><br>',
  '<svg viewBox="0 0 1 1"><path d="M0 0"/></svg>',
])('%s is well formed', (text) => {
  expect(faultsOfHtml(text)).toEqual([])
})

test.each([
  ['<p><b>x</p></b>', '</p> closes <b>'],
  ['</p>', '</p> closes nothing'],
  ['<div><p>x</p>', '<div> is not closed'],
  ['<p class=x>y</p>', 'a stray <'],
  ["<p class='x'>y</p>", 'a stray <'],
  ['<p id="a"></p><p id="a"></p>', 'two elements have the id a'],
  ['<p class="a" class="b"></p>', '<p> has two attributes class'],
  ['<p>a & b</p>', 'a stray &'],
  ['<p title="a & b"></p>', 'a stray & in an attribute of <p>'],
  ['1 < 2', 'a stray <'],
  ['<p>1 > 2</p>', 'a stray >'],
])('%s is not well formed', (text, fault) => {
  expect(faultsOfHtml(text)).toContain(fault)
})

test('elements have their attributes as a browser parses them', () => {
  const [link] = elementsOf('<p>x</p><a href="/?a=1&amp;b=2" hidden>y</a>').filter(({ name }) => name === 'a')
  expect([...(link?.attributes ?? [])]).toEqual([
    ['href', '/?a=1&b=2'],
    ['hidden', ''],
  ])
})
