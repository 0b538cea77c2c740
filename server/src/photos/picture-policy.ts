/** The Content-Security-Policy of a picture: whatever its bytes contain besides, a browser runs none of it. */
export const PICTURE_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"
