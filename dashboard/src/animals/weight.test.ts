import { describe, expect, test } from 'vitest'
import { readWeight, writeWeight } from './weight.ts'

describe('a weight', () => {
  test.each([
    ['17', 17_000],
    ['17 kg', 17_000],
    ['4.2', 4200],
    ['4,2kg', 4200],
    ['0.035', 35],
    ['40 g', 40],
    ['350G', 350],
    ['2000', 2_000_000],
    ['', null],
    ['  ', null],
    ['0', undefined],
    ['2001', undefined],
    ['about 4', 4000],
    ['12 lb', 5443],
    ['800 Gramm', 800],
    ['4,5  kg', 4500],
    ['1,250 kg', 1250],
    ['n/a', null],
    ['3-4 kg', undefined],
    ['4.2.1', undefined],
    ['-3', undefined],
  ])('written as "%s" is %s grams', (text, grams) => {
    expect(readWeight(text)).toBe(grams)
  })

  test.each([
    [null, ''],
    [40, '40 g'],
    [999, '999 g'],
    [1000, '1 kg'],
    [17_250, '17.25 kg'],
  ])('of %s grams is shown as "%s", and read back as the same', (grams, text) => {
    expect(writeWeight(grams)).toBe(text)
    expect(readWeight(text)).toBe(grams)
  })
})
