// The Mantine theme. The content security policy forbids style elements, so colours and
// sizes are variables in ui/page.css, and features that would write a style element
// (grids, responsive props, locking the scroll bar) are not used.

import { createTheme } from '@mantine/core'

export const theme = createTheme({
  primaryColor: 'teal',
  // Filled components and links need the darker shades for sufficient contrast.
  primaryShade: { light: 9, dark: 4 },
  autoContrast: true,
  cursorType: 'pointer',
  defaultRadius: 'md',
  respectReducedMotion: true,
  components: {
    // By name: to import it would load it with every page.
    Modal: { defaultProps: { lockScroll: false, centered: true } },
  },
})
