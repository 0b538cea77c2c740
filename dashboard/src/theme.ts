// The Mantine theme. The content security policy forbids style elements, so colours and sizes are variables and rules
// in the style sheets of ui/, and features that would write a style element (grids, responsive props, locking the
// scroll bar) are not used.

import { createTheme } from '@mantine/core'

export const theme = createTheme({
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // By name: to import it would load it with every page.
    // The head of a dialog is an element that would otherwise count as a second banner of the page.
    Modal: {
      defaultProps: { lockScroll: false, centered: true, attributes: { header: { role: 'presentation' } } },
    },
    // In the landmark of its button, not at the end of the page, where a screen reader finds it nowhere; fixed, so that
    // a card or the side bar does not cut it off. Opening it goes to its first entry: Mantine's placeholder for the
    // focus would be a child that a menu must not have.
    Menu: {
      defaultProps: { withinPortal: false, floatingStrategy: 'fixed', withInitialFocusPlaceholder: false },
    },
  },
})
