// What search engines read about a page, as schema.org names it. Only what the page shows as well.

import type { PresentedAnimal } from '../publishing/content.ts'
import { animalAt, home } from './addresses.ts'
import { decimalFee } from './facts.ts'
import { hrefIn } from '../strings/languages.ts'
import type { RenderedSite } from './layout.ts'
import { sharedAt } from './shared-photo.ts'

const CONTEXT = 'https://schema.org'

/** The owner of the site, who is the same in every language. */
export function ownerData({ content: { settings }, origin, kind }: RenderedSite): object {
  const { email, phone, address } = settings.contact
  return {
    '@context': CONTEXT,
    '@type': kind === 'shelter' ? 'AnimalShelter' : 'PetStore',
    name: settings.title,
    url: `${origin}${hrefIn(settings, settings.language, home)}`,
    ...(settings.tagline !== '' && { description: settings.tagline }),
    ...(phone !== '' && { telephone: phone }),
    ...(email !== '' && { email }),
    ...(address !== '' && { address }),
  }
}

/** An animal that a shop offers at a price; a shelter sells nothing. */
export function animalData(site: RenderedSite, animal: PresentedAnimal, description: string): object | undefined {
  const fee = animal.profile?.fee
  if (site.kind !== 'shop' || !fee) return undefined
  const url = `${site.origin}${site.href(animalAt(animal))}`
  return {
    '@context': CONTEXT,
    '@type': 'Product',
    name: animal.name,
    ...(description !== '' && { description }),
    url,
    ...(animal.photos &&
      animal.photos.length > 0 && { image: animal.photos.map((photo) => `${site.origin}${sharedAt(photo)}`) }),
    offers: {
      '@type': 'Offer',
      price: decimalFee(fee),
      priceCurrency: fee.currency,
      availability: `${CONTEXT}/${animal.status === 'available' ? 'InStock' : animal.status === 'pending' ? 'LimitedAvailability' : 'SoldOut'}`,
      url,
    },
  }
}
