// Which orders are shown, as it stands in the address, so that a link to them can be
// shared. Those that wait are what one sees first; an address need not say it.

export type OrderView = 'waiting' | 'decided' | 'all'
export type OrderSearch = { show?: Exclude<OrderView, 'waiting'> }

export const orderSearch = ({ show }: Record<string, unknown>): OrderSearch =>
  show === 'decided' || show === 'all' ? { show } : {}
