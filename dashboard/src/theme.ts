// How Mantine's parts look here. The content security policy forbids style elements, so
// colours and sizes are variables in ui/page.css, and whatever would write a style
// element (grids, responsive props, locking the scroll bar) is not used.

import { createTheme } from '@mantine/core'

export const theme = createTheme({
  primaryColor: 'teal',
  // Filled parts and links need the darker shades to be read by everybody.
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
