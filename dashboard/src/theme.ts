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
  },
})
