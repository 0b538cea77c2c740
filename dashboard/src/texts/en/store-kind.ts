// Whether a store is a shelter or a shop, where it is chosen.

export const storeKind = {
  label: 'Kind of store',
  help: 'It selects the words on your site: an animal is adopted or sold, for a fee or at a price.',
  kinds: {
    shelter: { name: 'Shelter or rescue', short: 'Shelter', text: 'Animals are adopted, for an adoption fee.' },
    shop: { name: 'Shop or breeder', short: 'Shop', text: 'Animals are sold, at a price.' },
  },
  later: 'You can change it at any time under Project settings.',
  saved: 'The kind of store has been saved. Your site uses its words now.',
  viewer: 'Only admins and owners of the store can change it.',
  ask: 'Are you a shelter or a shop?',
  close: 'Not now',
}
