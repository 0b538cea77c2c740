// Hostile test animals that no store has but any could enter: names that are markup, run
// from right to left, are longer than any page expects, or are hardly names at all. A
// site is published only if it survives them.

import { INT64_MAX, INT64_MIN } from '@petstore-platform/contract/int64'
import { NAME_LENGTH_MAX, petStatuses } from '@petstore-platform/contract/pets'
import type { PresentedAnimal, SiteContent } from './content.ts'
import { hostilePhotos, hostileProfiles } from './hostile-profiles.ts'

export const hostileNames: readonly string[] = [
  '<script>alert(1)</script>',
  '</title></head><body onload=alert(1)>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '<!-- --!> <![CDATA[ ]]>',
  '&lt;b&gt; &amp; &#0; &nbsp',
  '{{7*7}} ${7*7} <%= 7*7 %>',
  '[Rex](javascript:alert(1)) **x** `y`',
  'javascript:alert(1)',
  '../../etc/passwd?x=%00#',
  '\u202Eevil\u202C \u200F\u200E',
  'שלום כלב מתוק',
  'مرحبا يا قطة',
  '🐶👩‍👩‍👧‍👦🏳️‍🌈🇩🇪',
  `Z${'\u0335\u0321\u0348'.repeat(30)}algo`,
  '\u200B\u00A0x\u2028\u2029\uFEFF',
  'W'.repeat(NAME_LENGTH_MAX),
  '🐱'.repeat(NAME_LENGTH_MAX),
  '<'.repeat(NAME_LENGTH_MAX),
  '0',
  'null',
  '__proto__',
]

/** In every state, with every hostile profile, and in categories that are named, hidden or unknown. */
export function hostileAnimals({ categories, settings }: SiteContent): PresentedAnimal[] {
  const places = [
    ...categories.slice(0, 3).map(({ id }) => id),
    ...settings.hiddenCategories.slice(0, 1),
    INT64_MAX,
    INT64_MIN,
    0n,
  ]
  return hostileNames.map((name, index) => ({
    // Ids that no animal is given, so that none is taken for a real one.
    id: INT64_MAX - BigInt(index),
    name,
    categoryId: places[index % places.length] ?? 0n,
    status: petStatuses[index % petStatuses.length] ?? 'available',
    // The last ones have none.
    ...(hostileProfiles[index] && { profile: hostileProfiles[index] }),
    // From none to the most.
    photos: hostilePhotos(index),
  }))
}
