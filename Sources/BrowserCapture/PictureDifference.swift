import FoundationEssentials
import Web

/// How two pictures of the same state differ.
package struct PictureDifference: Sendable, Equatable {
    /// The number of pixels that differ; those outside the smaller picture count.
    package let pixels: Int
    /// The number of pixels of the larger picture.
    package let total: Int
    /// Width and height in pixels.
    package let before: [Int]
    package let after: [Int]
    /// A PNG: the second picture, faded, with the differing pixels marked; empty if none differs.
    package let picture: [UInt8]

    package init(
        pixels: Int, total: Int, before: [Int], after: [Int], picture: [UInt8] = []
    ) {
        self.pixels = pixels
        self.total = total
        self.before = before
        self.after = after
        self.picture = picture
    }

    /// The result of `script`.
    init?(_ result: JSON) {
        func size(_ name: String) -> [Int] {
            (result[name]?.elements ?? []).compactMap { $0.int.map { Int($0) } }
        }
        guard let pixels = result["pixels"]?.int, let total = result["total"]?.int,
            let text = result["picture"]?.string, let picture = Data(base64Encoded: text)
        else { return nil }
        self.init(
            pixels: Int(pixels), total: Int(total), before: size("before"), after: size("after"),
            picture: [UInt8](picture))
    }

    /// The numbers alone.
    package var withoutPicture: Self {
        Self(pixels: pixels, total: total, before: before, after: after)
    }

    package var hasOtherSize: Bool { before != after }

    /// In percent of all pixels.
    package var percent: Double { total == 0 ? 0 : Double(pixels) / Double(total) * 100 }

    /// A channel may differ by this much, of 255: Chromium rounds blended colors differently from
    /// one version to the next. The pictures of one version are equal to the bit, text included.
    package static let tolerance = 2

    /// A function of two base64 texts, the pictures.
    static let script = """
        async (before, after) => {
          const decode = text => createImageBitmap(
            new Blob([Uint8Array.from(atob(text), letter => letter.charCodeAt(0))]),
            { colorSpaceConversion: 'none', premultiplyAlpha: 'none' });
          const images = await Promise.all([before, after].map(decode));
          const width = Math.max(...images.map(image => image.width));
          const height = Math.max(...images.map(image => image.height));
          const canvas = new OffscreenCanvas(width, height);
          const context = canvas.getContext('2d', { willReadFrequently: true });
          const [old, now] = images.map(image => {
            context.clearRect(0, 0, width, height);
            context.drawImage(image, 0, 0);
            return context.getImageData(0, 0, width, height).data;
          });
          const marked = context.createImageData(width, height);
          const shown = new Uint32Array(marked.data.buffer);
          let pixels = 0;
          for (let at = 0; at < old.length; at += 4) {
            let differs = false;
            for (let channel = at; channel < at + 4; channel += 1) {
              if (Math.abs(old[channel] - now[channel]) > \(tolerance)) differs = true;
            }
            if (differs) pixels += 1;
            const grey = 255 - (255 * 3 - now[at] - now[at + 1] - now[at + 2]) / 12;
            // Little-endian: alpha, blue, green, red.
            shown[at / 4] = differs ? 0xffb4009c : 0xff000000 | grey << 16 | grey << 8 | grey;
          }
          let picture = '';
          if (pixels > 0) {
            context.putImageData(marked, 0, 0);
            const file = new FileReader();
            const blob = await canvas.convertToBlob();
            await new Promise(done => { file.onload = done; file.readAsDataURL(blob); });
            picture = file.result.split(',')[1];
          }
          return {
            pixels, total: width * height, picture,
            before: [images[0].width, images[0].height],
            after: [images[1].width, images[1].height],
          };
        }
        """
}

/// The format of pictures.
package enum PNG {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Width and height from the first chunk; nil if it is not a PNG.
    package static func size(of bytes: [UInt8]) -> (width: Int, height: Int)? {
        guard bytes.count > 24, bytes.starts(with: signature) else { return nil }
        func number(at offset: Int) -> Int {
            bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        return (number(at: 16), number(at: 20))
    }
}
