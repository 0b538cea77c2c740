import { processorTime } from '@petstore-platform/contract/processor-time.fake'
import { expect, test } from 'vitest'
import { readXml, textOf } from './xml.ts'

test('elements, text and entities are read', () => {
  const root = readXml(
    '<?xml version="1.0" encoding="UTF-8"?>\n<Error xmlns="http://s3.example/doc/" a=\'b\'><Code>A&amp;B&lt;&gt;&quot;&apos;&#33;&#x1F436;</Code><Empty/><Space> x </Space></Error>\n',
  )
  expect(root?.name).toBe('Error')
  expect(root && textOf(root, 'Code')).toBe(`A&B<>"'!🐶`)
  expect(root && textOf(root, 'Empty')).toBe('')
  expect(root && textOf(root, 'Space')).toBe(' x ')
  expect(root && textOf(root, 'Missing')).toBeUndefined()
})

test('a text is that of one element without children', () => {
  const root = readXml('<a><b>1</b><b>2</b><c><d/></c></a>')
  expect(root && textOf(root, 'b')).toBeUndefined()
  expect(root && textOf(root, 'c')).toBeUndefined()
})

test.each([
  '',
  'text',
  '<a>',
  '</a>',
  '<a></b>',
  '<a><b></a></b>',
  '<a/><b/>',
  '<a/>text',
  '<a>&nbsp;</a>',
  '<a>&#0;</a>',
  '<a>&#xD800;</a>',
  '<a>&#x110000;</a>',
  '<a>&</a>',
  '<a>&amp</a>',
  '<a b=c></a>',
  '<a b="<"></a>',
  '<a><!-- b --></a>',
  '<a><![CDATA[b]]></a>',
  '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
  '<a><?xml version="1.0"?></a>',
  '<a',
  `${'<a>'.repeat(11)}${'</a>'.repeat(11)}`,
])('%s is rejected', (text) => {
  expect(readXml(text)).toBeUndefined()
})

test('nothing makes it slow or throws', () => {
  const texts = ['<a '.repeat(50_000), '<a b="'.repeat(50_000), '&'.repeat(200_000), '<a>'.repeat(100_000)]
  const time = processorTime(
    () => expect(texts.map((text) => readXml(text))).toEqual(texts.map(() => undefined)),
    5000,
    1,
  )
  expect(time).toBeLessThan(5000)
})
