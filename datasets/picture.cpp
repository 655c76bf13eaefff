// The dataset `image`, painted from back to front, one row at a time. Luminance has 16 bits. Values
// outside this range are clamped at the end (develop()).
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "datasets/generators.h"
#include "datasets/random.h"

namespace histolab::datasets {
namespace {

constexpr int width = static_cast<int>(picture_width), height = static_cast<int>(picture_height);

using Row = std::array<int, picture_width>;

// Smooth noise: random numbers from -2^14 to 2^14 at the corners of cells of 2^shift by 2^shift
// pixels, smoothly interpolated.
class Noise {
 public:
  Noise(std::uint64_t key, int shift) : corners_(key), shift_(shift) {
    const int cell = 1 << shift;
    for (int i = 0; i < cell; ++i) {
      const std::int64_t t = i * std::int64_t{32768} / cell;  // 3 t^2 - 2 t^3, in units of 2^-15
      slope_[static_cast<std::size_t>(i)] =
          static_cast<int>((3 * t * t - (2 * t * t * t >> 15)) >> 15);
    }
  }

  // Sets out[x] to the noise at (x, y), for x = 0, 1, ...
  void read(int y, Row& out) const {
    const int cell = 1 << shift_, row = y >> shift_,
              down = slope_[static_cast<std::size_t>(y & (cell - 1))];
    int right = between(corner(0, row), corner(0, row + 1), down);
    for (int column = 0; column << shift_ < width; ++column) {
      const int left = right;
      right = between(corner(column + 1, row), corner(column + 1, row + 1), down);
      const auto first = static_cast<std::size_t>(column << shift_);
      for (std::size_t i = 0; i < static_cast<std::size_t>(cell); ++i)
        out[first + i] = between(left, right, slope_[i]);
    }
  }

 private:
  static int between(int a, int b, int t) { return a + ((b - a) * t >> 15); }
  [[nodiscard]] int corner(int column, int row) const {
    return static_cast<int>(corners_.at(static_cast<std::uint64_t>(row) * 1024 +
                                        static_cast<std::uint64_t>(column)) >>
                            49) -
           16384;
  }

  Positions corners_;
  int shift_;
  std::array<int, 256> slope_{};  // interpolation weights in a cell of up to 2^8 pixels
};

// Sum of four octaves of Noise. The first has cells of 2^shift pixels. Each further octave has half
// the cell size and half the strength.
class Rough {
 public:
  Rough(std::uint64_t key, int shift)
      : octaves_{
            Noise{key, shift}, {key + 1, shift - 1}, {key + 2, shift - 2}, {key + 3, shift - 3}} {}
  void read(int y, Row& out) const {
    out.fill(0);
    Row one;
    int strength = 8;
    for (const Noise& octave : octaves_) {
      octave.read(y, one);
      for (std::size_t x = 0; x < picture_width; ++x) out[x] += one[x] * strength / 8;
      strength /= 2;
    }
  }

 private:
  std::array<Noise, 4> octaves_;
};

struct Ball {
  int x, y, radius, light;
};

struct Tower {
  int left, right, top, light;
};

class Picture {
 public:
  explicit Picture(Random& random)
      : clouds_(random.next(), 8),
        ground_(random.next(), 5),
        far_ridge_(random.next(), 8),
        near_ridge_(random.next(), 8),
        lamps_(random.next()),
        grain_(random.next()) {
    const auto pick = [&random](int low, int high) {
      return low + static_cast<int>(below(static_cast<std::uint32_t>(high - low),
                                          static_cast<std::uint32_t>(random.next() >> 32)));
    };
    horizon_ = pick(560, 640);
    sun_ = {pick(150, 870), pick(110, 260), pick(42, 58), 0};
    far_ridge_.read(0, far_top_);
    near_ridge_.read(0, near_top_);
    for (std::size_t x = 0; x < picture_width; ++x) {
      far_top_[x] = horizon_ - 110 + far_top_[x] / 160;
      near_top_[x] = horizon_ - 26 + near_top_[x] / 360;
    }
    int left = pick(60, 200);
    for (Tower& tower : towers_) {
      tower = {left, left + pick(36, 80), horizon_ - pick(130, 300), pick(4500, 9000)};
      left = tower.right + pick(10, 240);
    }
    // Large balls are near. Light and dark balls alternate.
    int x = pick(120, 260), dark = pick(0, 2);
    for (Ball& ball : balls_) {
      const int radius = pick(48, 104);
      ball = {x, std::min(horizon_ + 20 + 2 * radius, height - radius - 20), radius,
              dark++ % 2 == 0 ? pick(15000, 24000) : pick(46000, 58000)};
      x += pick(180, 270);
    }
  }

  // Must be called once per row, from the top down, because the grain is drawn in that order.
  void paint(int y, Row& row) {
    if (y < horizon_ + 40) paint_sky(y, row);
    paint_land(y, row);
    for (const Tower& tower : towers_) paint_tower(tower, y, row);
    for (const Ball& ball : balls_) paint_shadow(ball, y, row);
    for (const Ball& ball : balls_) paint_ball(ball, y, row);
    develop(row);
  }

 private:
  void paint_sky(int y, Row& row) const {
    Row cloud;
    clouds_.read(2 * y, cloud);
    for (int x = 0; x < width; ++x) {
      const int dx = x - sun_.x, dy = y - sun_.y, far = dx * dx + dy * dy,
                near = sun_.radius * sun_.radius;
      int light = 37000 + 20 * y + 16000 * 4 * near / (4 * near + far);
      const int thick = std::clamp(cloud[static_cast<std::size_t>(x)] + 1000, 0, 12000);
      light += (59500 - light) * thick / 14000;
      row[static_cast<std::size_t>(x)] = far <= near ? 64800 : light;
    }
  }

  void paint_land(int y, Row& row) const {
    Row rough;
    ground_.read(y, rough);
    for (std::size_t x = 0; x < picture_width; ++x) {
      if (y >= horizon_)  // the meadow, darker and coarser towards the viewer
        row[x] = 15800 - (y - horizon_) * 11 + rough[x] * (60 + y - horizon_) / 2400;
      else if (y >= near_top_[x])
        row[x] = 21500 + rough[x] / 14 + (y - near_top_[x]) * 14;
      else if (y >= far_top_[x])
        row[x] = 29500 + rough[x] / 30 + (y - far_top_[x]) * 20;
    }
  }

  // A tower has straight edges, one bright side, and windows, some of them lit.
  void paint_tower(const Tower& tower, int y, Row& row) const {
    if (y < tower.top || y >= horizon_ + 8) return;
    const int turn = tower.left + (tower.right - tower.left) * 2 / 3;
    for (int x = tower.left; x < std::min(tower.right, width); ++x) {
      const int column = (x - tower.left) / 9, floor = (y - tower.top) / 14;
      const bool window = (x - tower.left) % 9 >= 4 && (y - tower.top) % 14 >= 8 && x < turn;
      const bool lamp =
          lamps_.at(static_cast<std::uint64_t>(tower.left * 4096 + floor * 64 + column)) >> 62 == 0;
      row[static_cast<std::size_t>(x)] = window     ? (lamp ? 51000 : tower.light / 2)
                                         : x < turn ? tower.light
                                                    : 2 * tower.light;
    }
  }

  static void paint_shadow(const Ball& ball, int y, Row& row) {
    const int dy = 4 * (y - ball.y - ball.radius + 6), centre = ball.x + ball.radius / 2;
    for (int x = std::max(0, centre - 2 * ball.radius);
         x < std::min(width, centre + 2 * ball.radius); ++x) {
      const int dx = (x - centre) * 3 / 4, far = dx * dx + dy * dy, all = ball.radius * ball.radius;
      if (far >= all) continue;
      int& light = row[static_cast<std::size_t>(x)];
      light -= light * 2 / 3 * std::min(all, 2 * (all - far)) / all;  // soft at its edge
    }
  }

  // The light comes from the upper left.
  static void paint_ball(const Ball& ball, int y, Row& row) {
    const int all = ball.radius * ball.radius, dy = y - ball.y;
    for (int x = std::max(0, ball.x - ball.radius); x <= std::min(width - 1, ball.x + ball.radius);
         ++x) {
      const int dx = x - ball.x;
      if (dx * dx + dy * dy > all) continue;
      const int lx = dx + ball.radius * 2 / 5, ly = dy + ball.radius * 2 / 5,
                far = lx * lx + ly * ly;
      const int gloss = std::max(0, all / 14 - far) * 14;  // 0 to `all`
      row[static_cast<std::size_t>(x)] =
          static_cast<int>(ball.light - std::int64_t{ball.light} * 3 / 4 * far * 2 / (5 * all) +
                           std::int64_t{62000 - ball.light} * gloss / all);
    }
  }

  // The camera: adds noise that grows with the light, and clamps to the scale.
  void develop(Row& row) {
    for (std::size_t x = 0; x < picture_width; ++x) {
      const std::uint64_t bits = grain_.next();
      // The sum of four numbers of 16 bits is nearly normal, with a standard deviation of 37 837.
      int four = -2 * 65535;
      for (unsigned part = 0; part < 64; part += 16)
        four += static_cast<int>(bits >> part & 0xffff);
      const int strength = 260 + row[x] / 128;
      row[x] = std::clamp(row[x] + (four >> 2) * strength / 9459, 0, 65535);
    }
  }

  Rough clouds_, ground_, far_ridge_, near_ridge_;
  Positions lamps_;
  Random grain_;
  int horizon_ = 0;
  Ball sun_{};
  Row far_top_{}, near_top_{};  // the first y of the hills at each x
  std::array<Tower, 3> towers_{};
  std::array<Ball, 4> balls_{};
};

template <class Put>
void fill_with_pictures(std::size_t length, std::uint64_t seed, const Put& put) {
  Random pictures("image", seed);
  Row row;
  for (std::size_t at = 0; at < length;) {
    Picture picture(pictures);
    for (int y = 0; y < height && at < length; ++y) {
      picture.paint(y, row);
      for (std::size_t x = 0; x < picture_width && at < length; ++x)
        put(at++, static_cast<std::uint32_t>(row[x]));
    }
  }
}

}  // namespace

void fill_image(Bytes out, std::uint64_t seed) {
  fill_with_pictures(out.size(), seed, [out](std::size_t i, std::uint32_t light) {
    out[i] = static_cast<std::uint8_t>(light >> 8);
  });
}

void fill_image(Samples out, std::uint64_t seed) {
  fill_with_pictures(out.size(), seed,
                     [out](std::size_t i, std::uint32_t light) { out.set(i, light); });
}

}  // namespace histolab::datasets
