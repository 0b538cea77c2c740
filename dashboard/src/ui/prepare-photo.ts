// Makes a photo smaller before it is uploaded: a tenth of the bytes of a phone's camera, upright, without the place
// where it was taken. A file that this browser cannot read is sent as it is; the server says what it is.

const LONGEST_SIDE = 2560
const QUALITY = 0.9
/** A picture of so few pixels shows whether the large one is transparent anywhere that matters. */
const SAMPLE_PIXELS = 64

export async function preparePhoto(file: Blob): Promise<Blob> {
  let picture: ImageBitmap
  try {
    picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
  } catch {
    return new Blob([file], { type: file.type || 'application/octet-stream' })
  }
  try {
    const size = fittedSize(picture, LONGEST_SIDE)
    const type = isTransparent(picture) ? 'image/webp' : 'image/jpeg'
    return await drawn(picture, size).canvas.convertToBlob({ type, quality: QUALITY })
  } finally {
    picture.close()
  }
}

type Size = { width: number; height: number }

/** Not enlarged, and no side below one pixel. */
export function fittedSize({ width, height }: Size, longest: number): Size {
  const scale = Math.min(1, longest / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

function drawn(picture: ImageBitmap, { width, height }: Size): OffscreenCanvasRenderingContext2D {
  const context = new OffscreenCanvas(width, height).getContext('2d')
  if (!context) throw new Error('The browser draws no pictures.')
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, width, height)
  return context
}

function isTransparent(picture: ImageBitmap): boolean {
  const { width, height } = fittedSize(picture, SAMPLE_PIXELS)
  const { data } = drawn(picture, { width, height }).getImageData(0, 0, width, height)
  return data.some((value, index) => index % 4 === 3 && value < 255)
}
