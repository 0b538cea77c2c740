import { expect, test } from 'vitest'
import { codesFile } from './codes-file.ts'

test('A file of recovery codes has one code on each line, and says whose they are and where they can be used', () => {
  const text = codesFile({
    codes: ['4h7k-p2xm-9qw3-tz6b', '0000-1111-2222-3333'],
    email: 'mia@happy-paws.example',
    page: 'https://app.petstore.example/recovery',
    date: '16 November 2026',
  })
  expect(text.split('\r\n')).toEqual([
    'Recovery codes for Petstore',
    'Created on 16 November 2026',
    '',
    '4h7k-p2xm-9qw3-tz6b',
    '0000-1111-2222-3333',
    '',
    'To use one, open https://app.petstore.example/recovery and enter mia@happy-paws.example.',
    '',
  ])
})
