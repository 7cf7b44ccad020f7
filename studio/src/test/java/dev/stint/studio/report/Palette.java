package dev.stint.studio.report;

import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;

/** Makes a picture small: its 256 most frequent colours stand for all of them. */
final class Palette {

  private Palette() {}

  static void reduce(Path file) throws IOException {
    BufferedImage before = ImageIO.read(file.toFile());
    int[] palette = mostFrequent(before);
    IndexColorModel colours =
        new IndexColorModel(8, palette.length, palette, 0, false, -1, DataBuffer.TYPE_BYTE);
    BufferedImage after =
        new BufferedImage(
            before.getWidth(), before.getHeight(), BufferedImage.TYPE_BYTE_INDEXED, colours);
    Map<Integer, Integer> known = new HashMap<>();
    for (int y = 0; y < before.getHeight(); y++) {
      for (int x = 0; x < before.getWidth(); x++) {
        int colour = before.getRGB(x, y);
        int index = known.computeIfAbsent(colour, any -> nearest(palette, any));
        after.getRaster().setSample(x, y, 0, index);
      }
    }
    ImageIO.write(after, "png", file.toFile());
  }

  private static int[] mostFrequent(BufferedImage image) {
    Map<Integer, Integer> counts = new HashMap<>();
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        counts.merge(image.getRGB(x, y), 1, Integer::sum);
      }
    }
    List<Map.Entry<Integer, Integer>> all =
        counts.entrySet().stream()
            .sorted(
                Map.Entry.<Integer, Integer>comparingByValue(Comparator.reverseOrder())
                    .thenComparing(Map.Entry.comparingByKey()))
            .toList();
    return all.stream().limit(256).mapToInt(Map.Entry::getKey).toArray();
  }

  private static int nearest(int[] palette, int colour) {
    int best = 0;
    for (int i = 1; i < palette.length; i++) {
      if (distance(palette[i], colour) < distance(palette[best], colour)) {
        best = i;
      }
    }
    return best;
  }

  private static int distance(int one, int other) {
    int sum = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
      int difference = ((one >> shift) & 0xff) - ((other >> shift) & 0xff);
      sum += difference * difference;
    }
    return sum;
  }
}
