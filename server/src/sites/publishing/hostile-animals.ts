// Hostile test animals that no store has but any could enter: names that are markup, run
// from right to left, are longer than any page expects, or are hardly names at all. A
// site is published only if it survives them.

import { INT64_MAX, INT64_MIN } from '@petstore-platform/contract/int64'
import { NAME_LENGTH_MAX, petStatuses } from '@petstore-platform/contract/pets'
import { ALT_LENGTH_MAX, FOCAL_CELLS, PHOTOS_MAX, type PublicPhoto } from '@petstore-platform/contract/platform/photos'
import { fieldsWith, profileFields } from '@petstore-platform/contract/platform/profile-fields'
import {
  coats,
  emptyProfile,
  FEE_MAX,
  sexes,
  sizes,
  STORY_LENGTH_MAX,
  TRAITS_MAX,
  type PublicProfile,
} from '@petstore-platform/contract/platform/profiles'
import { portraitNames } from '@petstore-platform/contract/portraits'
import type { PresentedAnimal, SiteContent } from './content.ts'

// Hostile test profiles, which no animal has but any could be given: markup in every text, texts that run from right to
// left, the longest ones, odd currencies, and dates at the borders; and photos with such descriptions. Each could be entered.

const { version: _, isHidden, isFeatured, externalId, chipNumber, internalNotes, ...emptyPublic } = emptyProfile

/** The same text wherever text can be, cut to fit. */
const written = (text: string, more: Partial<PublicProfile> = {}): PublicProfile => {
  const cut = (most: number) => Array.from(text).slice(0, most).join('')
  return {
    ...emptyPublic,
    ...Object.fromEntries(
      fieldsWith({ shown: ['card', 'page'], type: ['line', 'text'] }).map((name) => [
        name,
        cut(profileFields[name].lengthMax),
      ]),
    ),
    traits: [cut(profileFields.traits.lengthMax)],
    ...more,
  }
}

const answered = (answer: PublicProfile['isNeutered']) =>
  Object.fromEntries(fieldsWith({ type: ['answer'] }).map((name) => [name, answer]))

const bornOn = (date: string, precision: 'day' | 'month' | 'year' = 'day', isEstimated = false) => ({
  born: { date, precision, isEstimated },
})

export const hostileProfiles: readonly PublicProfile[] = [
  emptyPublic,
  written('</script><script>alert(1)</script><!-- <img src=x onerror=alert(1)>', {
    ...answered('yes'),
    ...bornOn('2024-02-29'),
    fee: { amount: 25_050, currency: 'EUR' },
    inCareSince: '2024-02-29',
    sex: 'female',
  }),
  written('" onmouseover="alert(1)" \' autofocus onfocus=alert(1) \u2028\u2029', {
    ...answered('no'),
    fee: { amount: 0, currency: 'XXX' },
    isMixed: true,
  }),
  written(`# ${'[x](javascript:alert(1)) '.repeat(300)}`, { fee: { amount: FEE_MAX, currency: 'ZZZ' } }),
  written('- **a\n- *b\n1. _c\n### ###\n[a](https://b.example/"onclick=") <b>&amp;&#0;'.slice(0, 500)),
  written('שלום \u202Eevil\u202C مرحبا \u200F', { sex: 'male', ...bornOn('1900-01-01', 'year', true) }),
  written('🐶👩‍👩‍👧‍👦🏳️‍🌈'.repeat(400), { traits: Array.from({ length: TRAITS_MAX }, (__, n) => `${'🐱'.repeat(28)}${n}`) }),
  written('<'.repeat(STORY_LENGTH_MAX), { fee: { amount: 1, currency: 'JPY' } }),
  written('W'.repeat(STORY_LENGTH_MAX), { fee: { amount: 1, currency: 'BHD' }, weightGrams: 2_000_000 }),
  written(`Z${'\u0335\u0321\u0348'.repeat(3000)}`, { weightGrams: 1 }),
  written('{"@context":"x"}\\u003c/script\\u003e ]]> {{7*7}} ${7*7}'),
  written(' \u00A0\u200B\uFEFF ', { ...bornOn('2099-12-31'), inCareSince: '2099-12-31' }),
  // Dates that the pattern admits and no calendar has.
  written('x', { ...bornOn('2023-02-31', 'month', true), inCareSince: '2023-02-31' }),
  ...sizes.map((size, index) => ({
    ...emptyPublic,
    size,
    coat: coats[index] ?? null,
    sex: sexes[index % 2] ?? null,
    portrait: portraitNames[index] ?? null,
    ...bornOn('2025-12-31', index % 2 === 0 ? 'year' : 'month'),
  })),
]

const alts = [
  '',
  ' \u00A0\u200B\uFEFF ',
  '"><script>alert(1)</script><img src=x onerror=alert(1)>',
  '\' onerror=alert(1) " onload="alert(1)" srcset="https://evil.example/x 320w',
  'שלום \u202Eevil\u202C مرحبا \u200F \u2028\u2029',
  '&quot;&lt;b&gt;&#0; {{7*7}} ${7*7} ]]>',
  '<'.repeat(ALT_LENGTH_MAX),
  '🐱'.repeat(ALT_LENGTH_MAX),
]

/** So many photos with hostile descriptions, in every shape and with every focal point. */
export const hostilePhotos = (count: number): readonly PublicPhoto[] =>
  Array.from({ length: Math.min(count, PHOTOS_MAX) }, (_, index) => ({
    digest: index.toString(16).padStart(64, 'a'),
    recipe: 1 + (index % 2) * 999_998,
    widths: [[200], [320], [320, 640, 960, 1600]][index % 3] ?? [],
    width: [200, 65_535, 1600][index % 3] ?? 0,
    height: [65_535, 200, 1200][index % 3] ?? 0,
    alt: alts[index % alts.length] ?? '',
    focal: { x: index % FOCAL_CELLS, y: (index >> 1) % FOCAL_CELLS },
  }))

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
