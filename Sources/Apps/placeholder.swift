// Apps
