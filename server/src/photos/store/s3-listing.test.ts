import { expect, test } from 'vitest'
import { readListing } from './s3-answers.ts'

const contents = (key: string, size = '5', modified = '2026-11-17T10:00:00.000Z') =>
  `<Contents><Key>${key}</Key><LastModified>${modified}</LastModified><ETag>&quot;x&quot;</ETag><Size>${size}</Size><StorageClass>STANDARD</StorageClass></Contents>`
const page = (inner: string, end = '<IsTruncated>false</IsTruncated>') =>
  `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.example/doc/2006-03-01/"><Name>photos</Name><Prefix>p/7/</Prefix>${end}${inner}</ListBucketResult>`
const read = (text: string, after = '') => readListing(text, 'p/7/', after)

test('keys are returned without their root, with size and time', () => {
  expect(read(page(contents('p/7/a&amp;b &lt;1&gt;') + contents('p/7/c', '20000000', '2026-11-17T10:00:01Z')))).toEqual(
    {
      objects: [
        { key: 'a&b <1>', size: 5, storedAt: Date.UTC(2026, 10, 17, 10) },
        { key: 'c', size: 20_000_000, storedAt: Date.UTC(2026, 10, 17, 10, 0, 1) },
      ],
      next: undefined,
    },
  )
  expect(read(page(''))).toEqual({ objects: [], next: undefined })
})

test('a page that is not the last one has the beginning of the next', () => {
  const more = '<IsTruncated>true</IsTruncated><NextContinuationToken>t/1=</NextContinuationToken>'
  expect(read(page(contents('p/7/a'), more))?.next).toBe('t/1=')
})

test.each([
  ['of another document', '<Error><Code>NoSuchBucket</Code></Error>'],
  ['that ends early', page(contents('p/7/a')).slice(0, -20)],
  ['that does not say whether it is the last', page(contents('p/7/a'), '')],
  ['that continues nowhere', page(contents('p/7/a'), '<IsTruncated>true</IsTruncated>')],
  ['of another project', page(contents('p/8/a'))],
  ['of another prefix', page(contents('q/7/a'))],
  ['that is out of order', page(contents('p/7/b') + contents('p/7/a'))],
  ['with a key twice', page(contents('p/7/b') + contents('p/7/b'))],
  ['with a wrong size', page(contents('p/7/b', '-1'))],
  ['with a wrong time', page(contents('p/7/b', '1', 'yesterday'))],
  ['with a time that does not exist', page(contents('p/7/b', '1', '2026-13-17T10:00:00Z'))],
])('a page %s is rejected as a whole', (_, text) => {
  expect(read(text)).toBeUndefined()
})

test('a page with keys that were not requested is rejected', () => {
  expect(read(page(contents('p/7/b')), 'b')).toBeUndefined()
  expect(read(page(contents('p/7/b')), 'a')).toBeDefined()
})
