// The mark: a house with ears, and a heart for a nose.

import './logo.css'

export const Logo = ({ size = 28 }: { size?: number }) => (
  <svg className="logo" viewBox="0 0 32 32" width={size} height={size} aria-hidden>
    <path
      className="logo-house"
      d="M4 6.2C4 4 6.5 2.8 8.2 4.2l4.3 3.5h7l4.3-3.5C25.5 2.8 28 4 28 6.2V18c0 6.6-5.4 11.5-12 11.5S4 24.6 4 18Z"
    />
    <circle className="logo-eye" cx="10.8" cy="15.6" r="1.9" />
    <circle className="logo-eye" cx="21.2" cy="15.6" r="1.9" />
    <path
      className="logo-heart"
      d="M16 24.7c-2.7-1.9-4.2-3.3-4.2-5a2.2 2.2 0 0 1 4.2-.9 2.2 2.2 0 0 1 4.2.9c0 1.7-1.5 3.1-4.2 5Z"
    />
  </svg>
)
