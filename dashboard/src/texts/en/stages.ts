// The stages of a request. A shelter's animals are adopted, a shop's are sold.

export const stages = {
  new: 'New',
  talking: 'Talking',
  visit: 'Visit',
  approved: 'Approved',
  completed: { shelter: 'Adopted', shop: 'Sold' },
  declined: 'Declined',
  withdrawn: 'Withdrawn',
  closed: 'Found another home',
  expired: 'Expired',
}
