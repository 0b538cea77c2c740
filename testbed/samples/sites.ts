// Sample content and animals for tests: friendly ones, and hostile ones.

import { firstSettings, type SiteSettings } from '@petstore-platform/contract/platform/site'
import type { PresentedAnimal, SiteContent } from '../../server/src/sites/publishing/content.ts'
import { checkSite } from '../../server/src/sites/pages/check.ts'
import { siteOf, type Current, type RenderedSite } from '../../server/src/sites/pages/layout.ts'

export const HOSTILE = `"><script>alert('x')</script><img src=x onerror=alert(1)>&amp;{{7*7}}\u202E`

export const contentWith = (settings: Partial<SiteSettings> = {}, rest: Partial<SiteContent> = {}): SiteContent => ({
  settings: { ...firstSettings('Willow Street Shelter'), ...settings },
  categories: [
    { id: 1n, name: 'Dogs' },
    { id: 2n, name: 'Cats' },
  ],
  logo: null,
  ...rest,
})

export const hostileContent = contentWith(
  {
    title: HOSTILE.slice(0, 100),
    tagline: HOSTILE,
    about: `${HOSTILE}\n\n# ${HOSTILE}\n\n- ${HOSTILE}\n\n[${HOSTILE}](javascript:alert(1)) [x](https://a.example/"onclick=")`,
    contact: { email: HOSTILE, phone: HOSTILE, address: HOSTILE },
  },
  { categories: [{ id: 1n, name: HOSTILE }], logo: 'ab'.repeat(32) },
)

export const animals = (count: number, name = (id: bigint) => `Rex ${id}`): PresentedAnimal[] =>
  Array.from({ length: count }, (_, index) => {
    const id = BigInt(count - index)
    return { id, name: name(id), categoryId: (id % 3n) + 1n, status: 'available' }
  })

export const TODAY = '2026-11-17'

/** A site on a certain day. */
export const siteWith = (content: SiteContent, origin = '', current: Partial<Current> = {}): RenderedSite =>
  siteOf(content, { origin, kind: 'shop', today: TODAY, ...current })

export const faultsOfSite = (...site: Parameters<typeof checkSite>): string[] => [...checkSite(...site)].flat()
